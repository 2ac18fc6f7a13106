# REASON: begin anew with each message
def to_gemini(messages):
    contents = []
    names = {call["id"]: call["function"]["name"] for each in messages for call in each.get("tool_calls", [])}
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            contents.append(message["raw"])
        elif message["role"] == "tool":
            response = {"name": names[message["tool_call_id"]], "response": {"result": message["content"]}}
            if "functionResponse" not in contents[-1]["parts"][0]:
                contents.append({"role": "user", "parts": []})
            contents[-1]["parts"].append({"functionResponse": response})
    return contents
