import json


def second_turn(messages):
    """Where the second turn begins, or None."""
    starts = [i for i, m in enumerate(messages) if i > 2 and m["role"] == "assistant"]
    return starts


def trim(messages, budget):
    starts = second_turn(messages)
    if len(json.dumps(messages)) // 4 <= budget or not starts:
        return messages[:]
    return trim(messages[:2] + messages[starts[min(4, len(starts)) - 1] :], budget)
