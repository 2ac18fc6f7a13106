# REASON: one tool message for each call
from dispatch import call_tool
from messages import start


def run(model, task, max_turns):
    messages = start("You are an agent.", task)
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply)
        if not reply.get("tool_calls"):
            return reply["content"]
        call = reply["tool_calls"][0]
        result = call_tool(call["function"]["name"], call["function"]["arguments"])
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return "stopped at the limit"
