"""Their type for a response, as Google's pages write it; dictionaries around it."""


def to_gemini(messages):
    from google.genai import types

    contents = []
    names = {}
    given = set()
    tools = []
    for message in messages:
        if message["role"] != "tool" and tools:
            contents.append({"role": "user", "parts": tools})
            tools = []
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            for call in message.get("tool_calls", []):
                names[call["id"]] = call["function"]["name"]
            parts = message["raw"]["parts"]
            given.update(part["functionCall"]["id"] for part in parts if "id" in part.get("functionCall", {}))
            contents.append(message["raw"])
        elif message["role"] == "tool":
            id = message["tool_call_id"]
            answer = types.FunctionResponse(
                id=id if id in given else None, name=names[id], response={"result": message["content"]}
            )
            tools.append(types.Part(function_response=answer))
    if tools:
        contents.append({"role": "user", "parts": tools})
    return contents
