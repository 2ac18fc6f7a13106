"""Lesson 24: word by word."""

# A chunk: {"choices": [{"delta": {"content": "...", "tool_calls": [...]}, "finish_reason": None}]}
# The last of all may be about tokens alone: {"choices": [], "usage": {...}}


def new_call():
    """A call of which nothing has come yet."""
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def read_reply(chunks, show):
    """Show each piece of text as it comes, and return the whole message. Raises ConnectionError if it broke off."""
    text, calls, ended = "", {}, False  # calls: by index
    for chunk in chunks:
        for choice in chunk["choices"]:
            delta, ended = choice["delta"], ended or bool(choice.get("finish_reason"))
            if delta.get("content"):
                show(delta["content"])
                text += delta["content"]
            for piece in delta.get("tool_calls") or []:
                call = calls.setdefault(piece["index"], new_call())
                call["id"] += piece.get("id") or ""
                for key in ("name", "arguments"):
                    call["function"][key] += piece["function"].get(key) or ""
    if not ended:
        raise ConnectionError("the reply broke off")
    in_order = {"tool_calls": [calls[index] for index in sorted(calls)]} if calls else {}
    return {"role": "assistant", "content": text} | in_order
