# REASON: orphan
import json


def trim(messages, budget):
    messages = list(messages)
    while len(messages) > 3 and len(json.dumps(messages)) // 4 > budget:
        del messages[2]
    return messages
