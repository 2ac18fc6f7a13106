"""Lesson 18: two memories."""

import json


def tokens(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


def fit(lines, room):
    """A list of the newest lines that fit into `room` characters, oldest first; a first one says how many are out."""
    kept = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.insert(0, line)
    left = len(lines) - len(kept)
    return [f"(+ {left} earlier)", *kept] if left else kept


def to_send(messages, state):
    """What one request holds when the memory is a state: system message, task with the state, the last turn."""
    system, task = messages[:2]
    begins = [number for number, message in enumerate(messages) if message["role"] == "assistant"]
    last = messages[begins[-1] :] if begins else []
    return [system, {"role": "user", "content": f"{task['content']}\n\n# So far\n\n{state}"}, *last]
