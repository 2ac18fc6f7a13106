import json


def size(messages):
    return len(json.dumps(messages)) // 4


def trim(messages, budget):
    """Take turns from the newest on, as long as they fit."""
    begins = [index for index in range(2, len(messages)) if messages[index]["role"] != "tool"]
    if not begins:
        return list(messages)
    keep = begins[-1]
    for begin in reversed(begins):
        if size(messages[:2] + messages[begin:]) > budget:
            break
        keep = begin
    return messages[:2] + messages[keep:]
