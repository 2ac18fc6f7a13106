# REASON: as it was
import json


def trim(messages, budget):
    while len(json.dumps(messages)) // 4 > budget and len([m for m in messages if m["role"] == "assistant"]) > 1:
        del messages[2]
        while messages[2]["role"] == "tool":
            del messages[2]
    return messages
