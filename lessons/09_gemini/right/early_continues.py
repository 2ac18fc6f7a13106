def to_gemini(messages):
    contents = []
    names = {}
    given = set()
    last_was_tool = False
    for message in messages:
        role = message["role"]
        if role == "system":
            continue
        if role == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
            last_was_tool = False
            continue
        if role == "assistant":
            for call in message.get("tool_calls", []):
                names[call["id"]] = call["function"]["name"]
            for part in message["raw"]["parts"]:
                if "functionCall" in part:
                    if "id" in part["functionCall"]:
                        given.add(part["functionCall"]["id"])
            contents.append(message["raw"])
            last_was_tool = False
            continue
        response = {}
        if message["tool_call_id"] in given:
            response["id"] = message["tool_call_id"]
        response["name"] = names[message["tool_call_id"]]
        response["response"] = {"result": message["content"]}
        part = {"functionResponse": response}
        if last_was_tool:
            contents[-1]["parts"].append(part)
        else:
            contents.append({"role": "user", "parts": [part]})
        last_was_tool = True
    return contents
