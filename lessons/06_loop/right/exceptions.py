from dispatch import call_tool
from messages import start


class Finished(Exception):
    """The answer, or why there is none."""


def act(reply, seen):
    if not reply.get("tool_calls"):
        raise Finished(reply["content"])
    for call in reply["tool_calls"]:
        what = (call["function"]["name"], call["function"]["arguments"])
        result = call_tool(*what)
        yield {"role": "tool", "tool_call_id": call["id"], "content": result}
        seen.append((*what, result))
        if seen.count((*what, result)) > 2:
            raise Finished("Stopped: a call was repeated for the third time, with the same result")


def run(model, task, max_turns):
    messages, seen = start("You repair programs.", task), []
    try:
        for turn in range(max_turns):
            reply = model(messages)
            messages.append(reply)
            messages.extend(act(reply, seen))
    except Finished as finished:
        return finished.args[0]
    return "Stopped: the limit of turns was reached"
