# REASON: raw is appended
"""Lesson 9: the same loop on Gemini."""


def to_gemini(messages):
    """Turn our list of messages into the contents that Gemini takes."""
    contents = []
    names = {}  # id of a call -> name of its tool
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            for call in message.get("tool_calls", []):
                names[call["id"]] = call["function"]["name"]
            contents.append(message.pop("raw"))
        elif message["role"] == "tool":
            response = {"name": names[message["tool_call_id"]], "response": {"result": message["content"]}}
            if "functionResponse" not in contents[-1]["parts"][0]:
                contents.append({"role": "user", "parts": []})
            contents[-1]["parts"].append({"functionResponse": response})
    return contents
