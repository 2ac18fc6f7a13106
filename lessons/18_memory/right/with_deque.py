from collections import deque


def fit(lines, room):
    kept, left = deque(), list(lines)
    while left:
        room -= len(left[-1]) + 1
        if room < 0:
            kept.appendleft(f"... {len(left)} earlier lines are left out")
            break
        kept.appendleft(left.pop())
    return list(kept)


def to_send(messages, state):
    last = deque()
    for message in reversed(messages[2:]):
        last.appendleft(message)
        if message["role"] == "assistant":
            break
    asked = messages[1]["content"]
    return [messages[0], dict(role="user", content=f"{asked}\n\n<state>\n{state}\n</state>"), *last]
