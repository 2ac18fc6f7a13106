# REASON: a tool message
"""Lesson 6: the loop, and when it stops."""

from dispatch import call_tool  # lesson 5
from messages import start  # lesson 1

SYSTEM = "You are a careful coding agent."


def run(model, task, max_turns):
    """Ask, act, repeat, until the model answers in text alone or must be stopped."""
    messages = start(SYSTEM, task)
    seen = []  # (name, arguments, result) of every call so far
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply)
        if not reply.get("tool_calls"):
            return reply["content"]
        for call in reply["tool_calls"]:
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            result = call_tool(name, arguments)
            messages.append({"role": "tool", "tool_call_id": "call_1", "content": result})
            seen.append((name, arguments, result))
            if seen.count(seen[-1]) == 3:
                return f"Stopped: {name} was called three times alike, with the same result."
    return f"Stopped: no answer after {max_turns} turns."
