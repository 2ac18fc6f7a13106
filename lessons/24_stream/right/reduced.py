from functools import reduce
# A chunk: {"choices": [{"delta": {"content": "...", "tool_calls": [...]}, "finish_reason": None}]}
# The last of all may be about tokens alone: {"choices": [], "usage": {...}}


def new_call():
    """A call of which nothing has come yet."""
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def longer(call, part):
    function = part.get("function") or {}
    return {
        "id": call["id"] or part.get("id") or "",
        "type": "function",
        "function": {
            "name": call["function"]["name"] or function.get("name") or "",
            "arguments": call["function"]["arguments"] + (function.get("arguments") or ""),
        },
    }


def read_reply(chunks, show):
    def step(state, chunk):
        text, parts, ended = state
        choice = next(iter(chunk.get("choices") or []), {})
        delta = choice.get("delta") or {}
        piece = delta.get("content") or ""
        if piece:
            show(piece)
        return text + piece, parts + (delta.get("tool_calls") or []), ended or bool(choice.get("finish_reason"))

    text, parts, ended = reduce(step, chunks, ("", [], False))
    if not ended:
        raise ConnectionError("the line went dead before the reply was whole")
    indexes = sorted({part["index"] for part in parts})
    calls = [reduce(longer, (p for p in parts if p["index"] == index), new_call()) for index in indexes]
    return {"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})
