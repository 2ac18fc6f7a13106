# REASON: three contents
def to_gemini(messages):
    contents, names = [], {}
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            for call in message.get("tool_calls", []):
                names[call["id"]] = call["function"]["name"]
            contents.append(message["raw"])
        elif message["role"] == "tool":
            response = {"name": names[message["tool_call_id"]], "response": {"result": message["content"]}}
            contents[-1]["parts"].append({"functionResponse": response})
    return contents
