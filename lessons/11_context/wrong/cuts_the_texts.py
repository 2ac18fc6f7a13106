# REASON: to the letter
import json


def size(messages):
    return len(json.dumps(messages)) // 4


def trim(messages, budget):
    head, turns = messages[:2], []
    if size(messages) <= budget:
        return list(messages)
    for message in messages[2:]:
        if message["role"] != "tool":
            turns.append([])
        turns[-1].append({**message, "content": message["content"][:3900]})
    while len(turns) > 1 and size(head + sum(turns, [])) > budget:
        turns.pop(0)
    return head + sum(turns, [])
