# A chunk: {"choices": [{"delta": {"content": "...", "tool_calls": [...]}, "finish_reason": None}]}
# The last of all may be about tokens alone: {"choices": [], "usage": {...}}


def new_call():
    """A call of which nothing has come yet."""
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def get(value, *keys):
    """What lies in there, None where something on the way is missing, None or empty."""
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def read_reply(chunks, show):
    message = {"role": "assistant", "content": "", "tool_calls": {}}
    complete = None
    for chunk in chunks:
        piece = get(chunk, "choices", 0, "delta", "content")
        if piece:
            show(piece)
            message["content"] += piece
        for part in get(chunk, "choices", 0, "delta", "tool_calls") or []:
            call = message["tool_calls"].setdefault(part["index"], new_call())
            call["id"] = call["id"] or get(part, "id") or ""
            call["function"]["name"] = call["function"]["name"] or get(part, "function", "name") or ""
            call["function"]["arguments"] += get(part, "function", "arguments") or ""
        complete = complete or get(chunk, "choices", 0, "finish_reason")
    if not complete:
        raise ConnectionError
    message["tool_calls"] = [message["tool_calls"][index] for index in sorted(message["tool_calls"])]
    if not message["tool_calls"]:
        del message["tool_calls"]
    return message
