"""Lesson 24: word by word."""

# A chunk: {"choices": [{"delta": {"content": "...", "tool_calls": [...]}, "finish_reason": None}]}
# The last of all may be about tokens alone: {"choices": [], "usage": {...}}


def new_call():
    """A call of which nothing has come yet."""
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def read_reply(chunks, show):
    """Show each piece of text as it comes, and return the whole message. Raises ConnectionError if it broke off."""
    text, calls, ended = "", {}, False  # calls: by index
    raise NotImplementedError("go through the chunks, show text, put the calls together, and see that it ended")
