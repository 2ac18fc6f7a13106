import dispatch
from context import trim
from gate import may_finish
from menu import schema
from messages import start
from parallel import run_calls
from toolbox import TOOLS

MAX_TURNS, BUDGET = 20, 30_000


def agent(ask, task, root):
    dispatch.ROOT, dispatch.TOOLS = root, dict(TOOLS)
    menu = [dict(type="function", function=schema(tool)) for tool in TOOLS.values()]
    messages, trajectory = start("Look, change one thing, run the tests.", task), []
    for _ in range(MAX_TURNS):
        reply = ask(trim(messages, BUDGET), menu)
        messages.append(reply)
        answer = turn(reply, messages, trajectory)
        if answer is not None:
            return answer
    return "too many turns"


def turn(reply, messages, trajectory):
    calls = reply.get("tool_calls") or []
    results = run_calls(calls)
    for call, result in zip(calls, results, strict=True):
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        trajectory.append({"name": call["function"]["name"], "result": result})
    if calls:
        return None
    problem = may_finish(trajectory)
    if not problem:
        return reply["content"]
    trajectory.append({"name": "push_back", "result": problem})
    messages.append({"role": "user", "content": problem})
    return None
