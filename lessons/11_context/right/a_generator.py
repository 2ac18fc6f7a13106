import json
from itertools import chain

STEP = 4


def shorter_and_shorter(messages):
    turns = []
    for message in messages[2:]:
        turns += [[message]] if message["role"] == "assistant" else []
        turns[-1] += [message] if message["role"] != "assistant" else []
    for gone in range(0, len(turns) - 1, STEP):
        yield messages[:2] + list(chain(*turns[gone:]))
    yield messages[:2] + list(chain(*turns[-1:]))


def trim(messages, budget):
    for candidate in shorter_and_shorter(messages):
        if len(json.dumps(candidate)) // 4 <= budget:
            break
    return candidate
