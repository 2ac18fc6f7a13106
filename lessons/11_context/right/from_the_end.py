import json


def size(messages):
    return len(json.dumps(messages)) // 4


def trim(messages, budget):
    """Take turns from the newest on, as long as they fit; then leave out what is no multiple of four."""
    begins = [index for index in range(2, len(messages)) if messages[index]["role"] == "assistant"]
    if not begins:
        return list(messages)
    gone = len(begins) - 1
    while gone > 0 and size(messages[:2] + messages[begins[gone - 1] :]) <= budget:
        gone -= 1
    gone = min(-(-gone // 4) * 4, len(begins) - 1)
    return messages[:2] + messages[begins[gone] :]
