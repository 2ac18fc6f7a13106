from itertools import accumulate, takewhile


def fit(lines, room):
    backwards = lines[::-1]
    ends = accumulate(len(line) + 1 for line in backwards)
    number = len(list(takewhile(lambda end: end <= room, ends)))
    kept = backwards[:number][::-1]
    if number == len(lines):
        return kept
    return [f"(+ {len(lines) - number} more lines, which are older)", *kept]


def to_send(messages, state):
    turns = []
    for message in messages[2:]:
        if message["role"] == "assistant":
            turns = []
        turns.append(message)
    prompt = dict(messages[1])
    prompt["content"] = prompt["content"] + "\n\nState:\n" + state
    return [messages[0], prompt] + turns
