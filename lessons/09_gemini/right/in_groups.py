from itertools import groupby


def to_gemini(messages):
    contents, calls = [], {}
    for role, group in groupby(messages, key=lambda message: message["role"]):
        group = list(group)
        if role == "user":
            contents.extend({"role": "user", "parts": [{"text": each["content"]}]} for each in group)
        elif role == "assistant":
            contents.extend(dict(each["raw"]) for each in group)
            calls = {call["id"]: call for call in group[-1].get("tool_calls", ())}
        elif role == "tool":
            parts = []
            for each in group:
                name = calls[each["tool_call_id"]]["function"]["name"]
                parts.append({"functionResponse": {"name": name, "response": {"result": each["content"]}}})
            contents.append({"role": "user", "parts": parts})
    return contents
