def start(system, task):
    messages = []
    messages.append(dict(role="system", content=system))
    messages.append(dict(role="user", content=task))
    return messages
