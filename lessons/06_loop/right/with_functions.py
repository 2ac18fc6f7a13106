from collections import Counter

import dispatch
import messages as talk


def run(model, task, max_turns):
    said, seen = talk.start("You are an agent.", task), Counter()
    for _ in range(max_turns):
        reply = model(said)
        said.append(reply)
        calls = reply.get("tool_calls") or []
        if not calls:
            return reply["content"]
        results = [answer(call) for call in calls]
        said.extend(results)
        for call, result in zip(calls, results):
            seen[str(call["function"]), result["content"]] += 1
        if seen.most_common(1)[0][1] >= 3:
            return "Stopped: the same call, with the same result, for the third time."
    return f"Stopped after {max_turns} turns."


def answer(call):
    text = dispatch.call_tool(call["function"]["name"], call["function"]["arguments"])
    return {"role": "tool", "tool_call_id": call["id"], "content": text}
