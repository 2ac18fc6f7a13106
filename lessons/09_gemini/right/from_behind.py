def call_of(messages, id):
    for message in reversed(messages):
        for call in message.get("tool_calls") or []:
            if call["id"] == id:
                given = [part["functionCall"].get("id") for part in message["raw"]["parts"] if "functionCall" in part]
                return call["function"]["name"], id in given
    raise KeyError(id)


def to_gemini(messages):
    contents = []
    for index, message in enumerate(messages):
        if message["role"] == "user":
            contents += [{"role": "user", "parts": [{"text": message["content"]}]}]
        if message["role"] == "assistant":
            contents += [message["raw"]]
        if message["role"] == "tool":
            name, given = call_of(messages[:index], message["tool_call_id"])
            part = {"functionResponse": {"name": name, "response": {"result": message["content"]}}}
            if given:
                part["functionResponse"]["id"] = message["tool_call_id"]
            if messages[index - 1]["role"] == "tool":
                contents[-1] = {"role": "user", "parts": [*contents[-1]["parts"], part]}
            else:
                contents += [{"role": "user", "parts": [part]}]
    return contents
