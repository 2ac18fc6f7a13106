def fit(lines, room):
    kept = newest(lines, room)
    left = len(lines) - len(kept)
    return ["(+ %d earlier)" % left] + kept if left else kept


def newest(lines, room):
    if not lines or len(lines[-1]) + 1 > room:
        return []
    return newest(lines[:-1], room - len(lines[-1]) - 1) + [lines[-1]]


def to_send(messages, state):
    system, task, *rest = messages
    while any(message["role"] == "assistant" for message in rest[1:]):
        rest = rest[1:]
    return [system, {**task, "content": task["content"] + "\n\n" + state}, *rest]
