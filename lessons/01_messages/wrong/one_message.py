# REASON: a message of its own
def start(system, task):
    return [{"role": "user", "content": system + "\n" + task}]
