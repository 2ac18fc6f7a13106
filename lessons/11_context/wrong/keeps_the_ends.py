# REASON: the task
import json


def trim(messages, budget):
    if len(json.dumps(messages)) // 4 <= budget:
        return list(messages)
    return messages[:1] + messages[-4:]
