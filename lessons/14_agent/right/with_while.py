import context
import dispatch
import gate
import messages as talk
import parallel
import toolbox
from menu import schema

SYSTEM = "You repair programs. Run the tests after you have changed something."
MAX_TURNS = 20
BUDGET = 30_000


def agent(ask, task, root):
    dispatch.ROOT = root
    dispatch.TOOLS.update(toolbox.TOOLS)
    menu = [{"type": "function", "function": schema(tool)} for tool in toolbox.TOOLS.values()]
    said, steps, turns = talk.start(SYSTEM, task), [], 0
    while turns < MAX_TURNS:
        turns += 1
        reply = ask(context.trim(said, BUDGET), menu)
        said.append(reply)
        if reply.get("tool_calls"):
            results = parallel.run_calls(reply["tool_calls"])
            for call, text in zip(reply["tool_calls"], results):
                said.append({"role": "tool", "tool_call_id": call["id"], "content": text})
                steps.append({"name": call["function"]["name"], "result": text})
        elif sentence := gate.may_finish(steps):
            steps.append({"name": "push_back", "result": sentence})
            said.append({"role": "user", "content": sentence})
        else:
            return reply["content"]
    return "It came to no end; I stopped it."
