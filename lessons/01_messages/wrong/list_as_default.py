# REASON: a list of its own
def start(system, task, messages=[]):
    messages.append({"role": "system", "content": system})
    messages.append({"role": "user", "content": task})
    return messages
