import json


def size(messages):
    return len(json.dumps(messages)) // 4


def trim(messages, budget):
    """Leave out the four oldest turns until it fits."""
    begins = [i for i in range(2, len(messages)) if messages[i]["role"] not in ("tool", "user")]
    if len(begins) < 2 or size(messages) <= budget:
        return messages[:]
    return trim(messages[:2] + messages[begins[min(4, len(begins) - 1)] :], budget)
