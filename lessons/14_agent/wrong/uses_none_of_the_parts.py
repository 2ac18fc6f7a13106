# REASON: the task as the user's message
import dispatch
from menu import schema
from messages import start
from toolbox import TOOLS

SYSTEM, MAX_TURNS, BUDGET = "You are a careful coding agent.", 20, 30_000


def agent(ask, task, root):
    dispatch.ROOT = root
    dispatch.TOOLS.update(TOOLS)
    menu = [{"type": "function", "function": schema(tool)} for tool in TOOLS.values()]
    messages = start(SYSTEM, "fix the bug")
    changed, pushed = False, 0
    for _ in range(MAX_TURNS):
        reply = ask(messages, menu)
        messages.append(reply)
        for call in reply.get("tool_calls", ()):
            result = dispatch.call_tool(call["function"]["name"], call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
            changed = call["function"]["name"] == "edit_file" or (changed and not result.startswith("All "))
        if not reply.get("tool_calls"):
            if not changed or pushed == 2:
                return reply["content"]
            pushed += 1
            messages.append({"role": "user", "content": "You have run no test since your edit."})
    return "Stopped."
