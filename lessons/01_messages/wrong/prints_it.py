# REASON: is a return missing?
def start(system, task):
    print([{"role": "system", "content": system}, {"role": "user", "content": task}])
