import json


def tokens(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


def newest(lines, room):
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            return
        yield line


def fit(lines, room):
    shown = [*newest(lines, room)]
    shown.reverse()
    if len(shown) < len(lines):
        return [f"(+ {len(lines) - len(shown)} earlier)"] + shown
    return shown


def parts(messages, state):
    yield messages[0]
    yield dict(messages[1], content="\n".join([messages[1]["content"], state]))
    roles = [message["role"] for message in messages]
    if "assistant" in roles:
        back = roles[::-1].index("assistant") + 1
        yield from messages[-back:]


def to_send(messages, state):
    return list(parts(messages, state))
