# REASON: the system message comes first
def start(system, task):
    return [{"role": "user", "content": task}, {"role": "system", "content": system}]
