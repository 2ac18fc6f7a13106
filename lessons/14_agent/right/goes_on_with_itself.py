import dispatch
from context import trim
from gate import may_finish
from menu import schema
from messages import start
from parallel import run_calls
from toolbox import TOOLS

MAX_TURNS = 20
BUDGET = 30_000


def go_on(ask, menu, messages, trajectory, left):
    if not left:
        return "Stopped: no turn is left."
    reply = ask(trim(messages, BUDGET), menu)
    calls = reply.get("tool_calls") or []
    results = run_calls(calls) if calls else []
    answers = [{"role": "tool", "tool_call_id": c["id"], "content": r} for c, r in zip(calls, results)]
    steps = [{"name": c["function"]["name"], "result": r} for c, r in zip(calls, results)]
    if not calls:
        problem = may_finish(trajectory)
        if problem == "":
            return reply["content"]
        answers, steps = [{"role": "user", "content": problem}], [{"name": "push_back", "result": problem}]
    return go_on(ask, menu, [*messages, reply, *answers], trajectory + steps, left - 1)


def agent(ask, task, root):
    dispatch.ROOT = root
    dispatch.TOOLS.update(TOOLS)
    menu = [{"type": "function", "function": schema(tool)} for tool in TOOLS.values()]
    return go_on(ask, menu, start("You are a careful coding agent.", task), [], MAX_TURNS)
