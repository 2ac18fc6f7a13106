import json
from itertools import accumulate, groupby


def trim(messages, budget):
    """Number the turns, and find the first that may stay."""
    rest = messages[2:]
    numbers = list(accumulate(int(message["role"] == "assistant") for message in rest))
    turns = [[message for _, message in group] for _, group in groupby(zip(numbers, rest), key=lambda pair: pair[0])]
    for gone in range(0, len(turns), 4):
        kept = messages[:2] + [message for turn in turns[gone:] for message in turn]
        if len(json.dumps(kept)) // 4 <= budget:
            return kept
    return messages[:2] + (turns[-1] if turns else [])
