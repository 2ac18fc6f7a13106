# REASON: trim(messages, BUDGET)
"""Lesson 14: your agent."""

import dispatch  # lesson 5
from context import trim  # lesson 11
from gate import may_finish  # lesson 13
from menu import schema  # lesson 4
from messages import start  # lesson 1
from parallel import run_calls  # lesson 7
from toolbox import TOOLS  # lessons 2, 3, 8 and 10

SYSTEM = "You are a careful coding agent. Look first, change little, run the tests after your last change."
MAX_TURNS = 20
BUDGET = 30_000  # tokens


def agent(ask, task, root):
    """Work on a task in the folder root until it is done; ask(messages, menu) is the model."""
    dispatch.ROOT = root
    dispatch.TOOLS.update(TOOLS)
    menu = [{"type": "function", "function": schema(tool)} for tool in TOOLS.values()]
    messages, trajectory = start(SYSTEM, task), []
    for _ in range(MAX_TURNS):
        reply = ask(trim(messages, 30_000), menu)
        messages.append(reply)
        calls = reply.get("tool_calls")
        if calls:
            for call, result in zip(calls, run_calls(calls)):
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
                trajectory.append({"name": call["function"]["name"], "result": result})
            continue
        problem = may_finish(trajectory)
        if not problem:
            return reply["content"]
        trajectory.append({"name": "push_back", "result": problem})
        messages.append({"role": "user", "content": problem})
    return f"Stopped: no answer after {MAX_TURNS} turns."
