start = lambda system, task: [{"role": "system", "content": system}, {"role": "user", "content": task}]
