from dispatch import call_tool
from messages import start


def run(model, task, max_turns):
    return go_on(model, start("You are careful.", task), max_turns, ())


def go_on(model, messages, left, seen):
    if left == 0:
        return "No answer: the turns are used up."
    reply = model(messages)
    calls = reply.get("tool_calls", [])
    if not calls:
        return reply["content"]
    functions = [call["function"] for call in calls]
    results = [call_tool(each["name"], each["arguments"]) for each in functions]
    seen += tuple((each["name"], each["arguments"], result) for each, result in zip(functions, results))
    if len(seen) - len(set(seen)) > 1 and max(map(seen.count, seen)) > 2:
        return "No answer: it goes round in circles."
    told = [{"role": "tool", "tool_call_id": c["id"], "content": text} for c, text in zip(calls, results)]
    return go_on(model, [*messages, reply, *told], left - 1, seen)
