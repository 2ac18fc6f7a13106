from dispatch import call_tool
from messages import start


def run(model, task, max_turns):
    messages, times, turns = start("You repair programs.", task), {}, 0
    while turns < max_turns:
        turns += 1
        reply = model(messages)
        messages = messages + [reply]
        if "tool_calls" not in reply:
            return reply["content"]
        for call in reply["tool_calls"]:
            function = call["function"]
            text = call_tool(function["name"], function["arguments"])
            messages = messages + [{"role": "tool", "tool_call_id": call["id"], "content": text}]
            key = function["name"], function["arguments"], text
            times[key] = times.get(key, 0) + 1
        if max(times.values()) > 2:
            return "I stopped it: it goes in a circle."
    return "I stopped it: too many turns."
