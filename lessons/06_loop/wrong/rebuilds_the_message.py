# REASON: as it came
from dispatch import call_tool
from messages import start


def run(model, task, max_turns):
    messages = start("You are an agent.", task)
    for _ in range(max_turns):
        reply = model(messages)
        messages.append({"role": "assistant", "content": reply["content"]})
        if not reply.get("tool_calls"):
            return reply["content"]
        for call in reply["tool_calls"]:
            result = call_tool(call["function"]["name"], call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return "stopped at the limit"
