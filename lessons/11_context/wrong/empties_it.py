# REASON: newest turn
import json


def trim(messages, budget):
    head, turns = messages[:2], []
    for message in messages[2:]:
        if message["role"] != "tool":
            turns.append([])
        turns[-1].append(message)
    while turns and len(json.dumps(head + sum(turns, []))) // 4 > budget:
        turns.pop(0)
    return head + sum(turns, [])
