# A chunk: {"choices": [{"delta": {"content": "...", "tool_calls": [...]}, "finish_reason": None}]}
# The last of all may be about tokens alone: {"choices": [], "usage": {...}}


def new_call():
    """A call of which nothing has come yet."""
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def events(chunks):
    """Every chunk as (kind, value) pairs."""
    for chunk in chunks:
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta") or {}
            if delta.get("content"):
                yield "text", delta["content"]
            for part in delta.get("tool_calls") or ():
                yield "call", part
            if choice.get("finish_reason"):
                yield "end", choice["finish_reason"]


def read_reply(chunks, show):
    text, calls, end = "", {}, None
    for kind, value in events(chunks):
        match kind:
            case "text":
                show(value)
                text += value
            case "call":
                call = calls.setdefault(value["index"], new_call())
                call["id"] += value.get("id") or ""
                for key, piece in (value.get("function") or {}).items():
                    call["function"][key] += piece or ""
            case "end":
                end = value
    if end:
        whole = {"tool_calls": [call for _, call in sorted(calls.items())]} if calls else {}
        return {"role": "assistant", "content": text, **whole}
    raise ConnectionError("it broke off")
