def to_gemini(messages):
    """Everything in the library's own types."""
    from google.genai import types

    contents, calls = [], {}
    for message in messages:
        if message["role"] == "user":
            contents.append(types.Content(role="user", parts=[types.Part(text=message["content"])]))
        elif message["role"] == "assistant":
            content = types.Content.model_validate(message["raw"])
            asked = [part.function_call for part in content.parts if part.function_call]
            calls = dict(zip([call["id"] for call in message.get("tool_calls", [])], asked))
            contents.append(content)
        elif message["role"] == "tool":
            call = calls[message["tool_call_id"]]
            response = types.FunctionResponse(id=call.id, name=call.name, response={"result": message["content"]})
            if not contents[-1].parts[0].function_response:
                contents.append(types.Content(role="user", parts=[]))
            contents[-1].parts.append(types.Part(function_response=response))
    return contents
