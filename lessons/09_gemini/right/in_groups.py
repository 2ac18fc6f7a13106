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
            theirs = [part["functionCall"] for part in group[-1]["raw"]["parts"] if "functionCall" in part]
        elif role == "tool":
            parts = []
            for each, asked in zip(group, theirs):
                echoed = {"id": asked["id"]} if "id" in asked else {}
                name = calls[each["tool_call_id"]]["function"]["name"]
                parts.append({"functionResponse": {**echoed, "name": name, "response": {"result": each["content"]}}})
            contents.append({"role": "user", "parts": parts})
    return contents
