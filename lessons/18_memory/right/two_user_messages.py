def fit(lines, room):
    count, used = 0, 0
    while count < len(lines) and used + len(lines[-1 - count]) + 1 <= room:
        used += len(lines[-1 - count]) + 1
        count += 1
    left = len(lines) - count
    return ([f"(+ {left} earlier)"] if left else []) + lines[left:]


def to_send(messages, state):
    start = len(messages)
    for index in range(len(messages) - 1, 1, -1):
        if messages[index]["role"] == "assistant":
            start = index
            break
    known = {"role": "user", "content": "What is known so far:\n" + state}
    return messages[:2] + [known] + messages[start:]
