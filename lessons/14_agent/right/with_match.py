import dispatch
from context import trim
from gate import may_finish
from menu import schema
from messages import start
from parallel import run_calls
from toolbox import TOOLS

MAX_TURNS = 20
BUDGET = 30_000


def agent(ask, task, root):
    dispatch.ROOT = root
    dispatch.TOOLS |= TOOLS
    menu = list(map(lambda tool: {"type": "function", "function": schema(tool)}, TOOLS.values()))
    messages, trajectory, turns = start("You are a coding agent.", task), [], iter(range(MAX_TURNS))
    while next(turns, None) is not None:
        messages.append(ask(trim(messages, BUDGET), menu))
        match messages[-1]:
            case {"tool_calls": [*calls]} if calls:
                results = run_calls(calls)
                messages.extend({"role": "tool", "tool_call_id": c["id"], "content": r} for c, r in zip(calls, results))
                trajectory.extend({"name": c["function"]["name"], "result": r} for c, r in zip(calls, results))
            case {"content": answer}:
                match may_finish(trajectory):
                    case "":
                        return answer
                    case problem:
                        trajectory.append(dict(name="push_back", result=problem))
                        messages.append(dict(role="user", content=problem))
    return "Stopped: the limit of turns is reached."
