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
    for name in TOOLS:
        dispatch.TOOLS[name] = TOOLS[name]
    menu = []
    for name in TOOLS:
        menu.append({"type": "function", "function": schema(TOOLS[name])})
    messages = start("You are a careful coding agent.", task)
    trajectory = []
    turn = 0
    while turn < MAX_TURNS:
        turn = turn + 1
        reply = ask(trim(messages, BUDGET), menu)
        messages.append(reply)
        if "tool_calls" in reply and reply["tool_calls"]:
            results = run_calls(reply["tool_calls"])
            for i in range(len(results)):
                call = reply["tool_calls"][i]
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": results[i]})
                trajectory.append({"name": call["function"]["name"], "result": results[i]})
        else:
            missing = may_finish(trajectory)
            if missing == "":
                return reply["content"]
            trajectory.append({"name": "push_back", "result": missing})
            messages.append({"role": "user", "content": missing})
    return "I stopped: 20 turns are over"
