import dispatch
from context import trim
from gate import may_finish
from menu import schema
from messages import start
from parallel import run_calls
from toolbox import TOOLS

MAX_TURNS, BUDGET = 20, 30_000


def agent(ask, task, root):
    dispatch.ROOT = root
    dispatch.TOOLS.update(TOOLS)
    menu = [dict(type="function", function=schema(tool)) for tool in TOOLS.values()]
    return go_on(ask, menu, start("You are a coding agent.", task), [], MAX_TURNS)


def go_on(ask, menu, messages, steps, left):
    if left <= 0:
        return "The limit of turns was reached."
    reply = ask(trim(messages, BUDGET), menu)
    if calls := reply.get("tool_calls"):
        results = run_calls(calls)
        said = [{"role": "tool", "tool_call_id": c["id"], "content": text} for c, text in zip(calls, results)]
        done = [{"name": c["function"]["name"], "result": text} for c, text in zip(calls, results)]
    elif problem := may_finish(steps):
        said = [{"role": "user", "content": problem}]
        done = [{"name": "push_back", "result": problem}]
    else:
        return reply["content"]
    return go_on(ask, menu, [*messages, reply, *said], steps + done, left - 1)
