import json
from collections import deque
from itertools import chain


def trim(messages, budget):
    turns = deque()
    for message in messages[2:]:
        if message["role"] == "assistant":
            turns.append([message])
        else:
            turns[-1].append(message)

    def whole():
        return [*messages[:2], *chain.from_iterable(turns)]

    while len(turns) > 1 and len(json.dumps(whole())) // 4 > budget:
        for _ in range(min(4, len(turns) - 1)):
            turns.popleft()
    return whole()
