def to_gemini(messages):
    contents, asked, responses = [], [], None
    for message in messages:
        if message["role"] != "tool":
            responses = None
        if message["role"] == "user":
            contents += [{"role": "user", "parts": [{"text": message["content"]}]}]
        if message["role"] == "assistant":
            asked = message.get("tool_calls", [])
            contents += [message["raw"]]
        if message["role"] == "tool":
            if responses is None:
                responses = []
                contents += [{"role": "user", "parts": responses}]
            name = next(call["function"]["name"] for call in asked if call["id"] == message["tool_call_id"])
            response = {"name": name, "response": {"result": message["content"]}}
            if not message["tool_call_id"].startswith("call_"):  # ours: Gemini's calls of that turn bear none
                response["id"] = message["tool_call_id"]
            responses.append({"functionResponse": response})
    return contents
