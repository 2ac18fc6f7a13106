import dispatch
from context import trim
from gate import may_finish
from menu import schema
from messages import start
from parallel import run_calls
from toolbox import TOOLS

MAX_TURNS = 20
BUDGET = 30_000


class Answer(Exception):
    pass


def work(calls, messages, trajectory):
    for call, result in zip(calls, run_calls(calls)):
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": result}]
        trajectory += [{"name": call["function"]["name"], "result": result}]


def finish(text, messages, trajectory):
    problem = may_finish(trajectory)
    if not problem:
        raise Answer(text)
    messages += [{"role": "user", "content": problem}]
    trajectory += [{"name": "push_back", "result": problem}]


def agent(ask, task, root):
    dispatch.ROOT, dispatch.TOOLS = root, dict(TOOLS)
    menu = [dict(type="function", function=schema(tool)) for tool in TOOLS.values()]
    messages, trajectory = start("Find the bug, repair it, run the tests.", task), []
    try:
        for _ in range(MAX_TURNS):
            reply = ask(trim(messages, BUDGET), menu)
            messages += [reply]
            if calls := reply.get("tool_calls"):
                work(calls, messages, trajectory)
            else:
                finish(reply.get("content"), messages, trajectory)
    except Answer as answer:
        return answer.args[0]
    return f"No answer: {MAX_TURNS} turns are used up."
