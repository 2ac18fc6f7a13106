import json


def size(messages):
    return len(json.dumps(messages)) // 4


def trim(messages, budget):
    if size(messages) <= budget:
        return list(messages)
    head = messages[:2]
    rest = messages[2:]
    turns = []
    for message in rest:
        if message["role"] == "assistant":
            turn = [message]
            turns.append(turn)
        else:
            turns[-1].append(message)
    while len(turns) > 1:
        for _ in range(4):
            if len(turns) > 1:
                turns.pop(0)
        result = list(head)
        for turn in turns:
            result.extend(turn)
        if size(result) <= budget:
            return result
    result = list(head)
    for turn in turns:
        result = result + turn
    return result
