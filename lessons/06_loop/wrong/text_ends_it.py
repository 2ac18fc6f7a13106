# REASON: the calls first
from dispatch import call_tool
from messages import start


def run(model, task, max_turns):
    messages = start("You are an agent.", task)
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply)
        if reply["content"]:
            return reply["content"]
        for call in reply["tool_calls"]:
            result = call_tool(call["function"]["name"], call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return "stopped at the limit"
