from itertools import groupby


def contents_of(messages):
    names, given = {}, set()
    for role, group in groupby(messages, key=lambda message: message["role"]):
        if role == "tool":
            yield {"role": "user", "parts": [response(message, names, given) for message in group]}
            continue
        for message in group:
            if role == "user":
                yield {"role": "user", "parts": [{"text": message["content"]}]}
            elif role == "assistant":
                names.update({call["id"]: call["function"]["name"] for call in message.get("tool_calls") or ()})
                given.update(part.get("functionCall", {}).get("id") for part in message["raw"]["parts"])
                yield message["raw"]


def response(message, names, given):
    id = message["tool_call_id"]
    own = {"id": id} if id in given else {}
    return {"functionResponse": own | {"name": names[id], "response": {"result": message["content"]}}}


def to_gemini(messages):
    return list(contents_of(messages))
