import dispatch
from context import trim
from gate import may_finish
from menu import schema
from messages import start
from parallel import run_calls
from toolbox import TOOLS

MAX_TURNS = 20
BUDGET = 30_000


def replies(ask, messages):
    menu = [{"type": "function", "function": schema(tool)} for tool in TOOLS.values()]
    for _ in range(MAX_TURNS):
        messages.append(ask(trim(messages, BUDGET), menu))
        yield messages[-1]


def agent(ask, task, root):
    dispatch.ROOT = root
    dispatch.TOOLS |= TOOLS
    messages, trajectory = start("Look first, change little, test.", task), []
    for reply in replies(ask, messages):
        calls = reply.get("tool_calls", [])
        for call, result in zip(calls, run_calls(calls) if calls else []):
            messages += [{"role": "tool", "tool_call_id": call["id"], "content": result}]
            trajectory += [{"name": call["function"]["name"], "result": result}]
        problem = "" if calls else may_finish(trajectory)
        if problem:
            trajectory += [{"name": "push_back", "result": problem}]
            messages += [{"role": "user", "content": problem}]
        elif not calls:
            return reply["content"]
    return "It used up all its turns without an answer."
