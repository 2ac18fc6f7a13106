# A chunk: {"choices": [{"delta": {"content": "...", "tool_calls": [...]}, "finish_reason": None}]}
# The last of all may be about tokens alone: {"choices": [], "usage": {...}}


def new_call():
    """A call of which nothing has come yet."""
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def read_reply(chunks, show):
    text = ""
    calls = {}
    ended = False
    for chunk in chunks:
        choices = chunk.get("choices")
        if not choices:
            continue
        choice = choices[0]
        delta = choice.get("delta")
        if delta:
            piece = delta.get("content")
            if piece:
                show(piece)
                text = text + piece
            parts = delta.get("tool_calls")
            if parts:
                for part in parts:
                    index = part["index"]
                    if index not in calls:
                        calls[index] = new_call()
                    if part.get("id"):
                        calls[index]["id"] = part["id"]
                    function = part.get("function")
                    if function:
                        if function.get("name"):
                            calls[index]["function"]["name"] = function["name"]
                        if function.get("arguments"):
                            calls[index]["function"]["arguments"] += function["arguments"]
        if choice.get("finish_reason"):
            ended = True
    if not ended:
        raise ConnectionError("the reply broke off")
    message = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = []
        for index in sorted(calls):
            message["tool_calls"].append(calls[index])
    return message
