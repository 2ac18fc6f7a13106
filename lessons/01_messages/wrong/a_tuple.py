# REASON: a list that can grow
def start(system, task):
    return {"role": "system", "content": system}, {"role": "user", "content": task}
