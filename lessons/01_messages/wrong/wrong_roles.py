# REASON: the task is said by the role "user"
def start(system, task):
    return [{"role": "system", "content": system}, {"role": "assistant", "content": task}]
