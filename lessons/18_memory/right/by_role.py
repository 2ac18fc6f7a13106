import json


def tokens(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


def fit(lines, room):
    for skipped in range(len(lines) + 1):
        if sum(len(line) + 1 for line in lines[skipped:]) <= room:
            return ([f"(+ {skipped} earlier)"] if skipped else []) + lines[skipped:]


def to_send(messages, state):
    system = next(message for message in messages if message["role"] == "system")
    task = next(message for message in messages if message["role"] == "user")
    turn = []
    for message in messages:
        if message["role"] == "assistant":
            turn = [message]
        elif turn:
            turn.append(message)
    return [system, {"role": "user", "content": "%s\n\nWhat is known so far:\n%s" % (task["content"], state)}] + turn
