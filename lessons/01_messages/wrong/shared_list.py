# REASON: a list of its own
messages = []


def start(system, task):
    messages.append({"role": "system", "content": system})
    messages.append({"role": "user", "content": task})
    return messages
