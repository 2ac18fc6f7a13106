from bisect import bisect_right
from itertools import accumulate
import json


def tokens(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


def fit(lines, room):
    costs = list(accumulate(len(line) + 1 for line in reversed(lines)))
    count = bisect_right(costs, room)
    earlier = len(lines) - count
    return [f"(+ {earlier} earlier)"] * bool(earlier) + lines[earlier:]


def to_send(messages, state):
    (system, task), rest = messages[:2], messages[2:]
    newest = max((at for at, message in enumerate(rest) if message["role"] == "assistant"), default=len(rest))
    return [system, {**task, "content": f"{task['content']}\n\n{state}"}, *rest[newest:]]
