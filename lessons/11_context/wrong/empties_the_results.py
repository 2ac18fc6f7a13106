# REASON: to the letter
import json


def trim(messages, budget):
    trimmed = [dict(message) for message in messages]
    for message in trimmed:
        if len(json.dumps(trimmed)) // 4 > budget and message["role"] == "tool":
            message["content"] = ""
    return trimmed
