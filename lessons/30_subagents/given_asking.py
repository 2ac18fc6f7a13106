"""Lesson 6 once more, for an agent that has tools and limits of its own."""

import json
import threading

LOCK = threading.Lock()


def take(budget):
    """Take one of the turns in budget, {"turns": how many are left}, which several agents may share. False: none is."""
    with LOCK:
        left = budget["turns"]
        budget["turns"] = max(0, left - 1)
    return left > 0


def one(call, tools):
    name = call["function"]["name"]
    if name not in tools:
        return f"Error: there is no tool {name!r}; the tools are {', '.join(tools)}"
    try:
        return tools[name](**json.loads(call["function"]["arguments"]))
    except Exception as error:
        return f"Error: {name} failed: {error}"


def loop(model, messages, tools, most, budget):
    """Ask model(messages, names of the tools) until it answers: that text. "" after `most` turns, or with none left."""
    for _ in range(most):
        if not take(budget):
            break
        reply = model(messages, list(tools))
        messages.append(reply)
        if not reply.get("tool_calls"):
            return reply["content"]
        for call in reply["tool_calls"]:
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": one(call, tools)})
    return ""
