# REASON: named as their calls
def to_gemini(messages):
    contents, name = [], ""
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            name = message["tool_calls"][0]["function"]["name"] if message.get("tool_calls") else ""
            contents.append(message["raw"])
        elif message["role"] == "tool":
            response = {"name": name, "response": {"result": message["content"]}}
            if "functionResponse" not in contents[-1]["parts"][0]:
                contents.append({"role": "user", "parts": []})
            contents[-1]["parts"].append({"functionResponse": response})
    return contents
