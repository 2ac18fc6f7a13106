import json


def size(messages):
    return len(json.dumps(messages)) // 4


def trim(messages, budget):
    """Leave out the oldest turn until it fits."""
    second = next((i for i in range(3, len(messages)) if messages[i]["role"] != "tool"), None)
    if second is None or size(messages) <= budget:
        return messages[:]
    return trim(messages[:2] + messages[second:], budget)
