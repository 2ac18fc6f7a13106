import json


def size(messages):
    return len(json.dumps(messages)) // 4


def trim(messages, budget):
    begins = []
    for i in range(2, len(messages)):
        if messages[i]["role"] == "assistant":
            begins.append(i)
    k = 0
    result = messages.copy()
    while size(result) > budget and k < len(begins) - 1:
        k = min(k + 4, len(begins) - 1)
        result = messages[:2]
        result += messages[begins[k] :]
    return result
