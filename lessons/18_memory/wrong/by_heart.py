# REASON: the newest, as many as find room
def fit(lines, room):
    return [f"(+ {len(lines) - 12} earlier)", *lines[-12:]] if len(lines) > 12 else lines


def to_send(messages, state):
    task = {"role": "user", "content": f"{messages[1]['content']}\n\n{state}"}
    return [messages[0], task, *messages[-2:]] if messages[2:] else [messages[0], task]
