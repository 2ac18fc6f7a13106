"""Lesson 9: the same loop on Gemini."""


def to_gemini(messages):
    """Turn our list of messages into the contents that Gemini takes."""
    contents = []
    names = {}  # id of a call -> name of its tool
    given = set()  # the ids that Gemini gave
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            for call in message.get("tool_calls", []):
                names[call["id"]] = call["function"]["name"]
            parts = message["raw"]["parts"]
            given.update(part["functionCall"]["id"] for part in parts if "id" in part.get("functionCall", {}))
            contents.append(message["raw"])
        elif message["role"] == "tool":
            response = {"name": names[message["tool_call_id"]], "response": {"result": message["content"]}}
            if message["tool_call_id"] in given:
                response["id"] = message["tool_call_id"]
            if "functionResponse" not in contents[-1]["parts"][0]:
                contents.append({"role": "user", "parts": []})
            contents[-1]["parts"].append({"functionResponse": response})
    return contents
