from dispatch import call_tool
from messages import start


def steps(model, messages):
    """One reply after the other, with the results of its calls."""
    while True:
        reply = model(messages)
        messages.append(reply)
        done = []
        for call in reply.get("tool_calls", []):
            wanted = call["function"]
            result = call_tool(wanted["name"], wanted["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
            done.append((wanted["name"], wanted["arguments"], result))
        yield reply, done


def run(model, task, max_turns):
    past = []
    for _, (reply, done) in zip(range(max_turns), steps(model, start("You are a coding agent.", task))):
        if not done:
            return reply["content"]
        past += done
        if any(past.count(each) >= 3 for each in done):
            return "I stop here: it asks the same again and again, and hears the same."
    return f"I stop here: {max_turns} turns are over."
