import json


def tokens(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


def fit(lines, room):
    kept = []
    used = 0
    i = len(lines) - 1
    while i >= 0:
        cost = len(lines[i]) + 1
        if used + cost > room:
            break
        kept.insert(0, lines[i])
        used = used + cost
        i = i - 1
    left_out = len(lines) - len(kept)
    if left_out > 0:
        kept.insert(0, "(+ " + str(left_out) + " earlier)")
    return kept


def to_send(messages, state):
    request = []
    request.append(messages[0])
    task = {"role": "user", "content": messages[1]["content"] + "\n" + state}
    request.append(task)
    last = None
    for i in range(len(messages)):
        if messages[i]["role"] == "assistant":
            last = i
    if last is not None:
        for i in range(last, len(messages)):
            request.append(messages[i])
    return request
