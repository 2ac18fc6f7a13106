import json

from dispatch import call_tool
from messages import start


def run(model, task, max_turns, system="You are a helpful assistant that edits code."):
    messages = start(system, task)
    seen = {}
    while max_turns:
        max_turns -= 1
        reply = model(messages)
        messages.append(reply)
        match reply:
            case {"tool_calls": [_, *_] as calls}:
                for call in calls:
                    match call:
                        case {"id": id, "function": {"name": name, "arguments": arguments}}:
                            text = call_tool(name, arguments)
                            messages.append({"role": "tool", "tool_call_id": id, "content": text})
                            key = json.dumps([name, arguments, text])
                            seen.setdefault(key, []).append(id)
                            if len(seen[key]) == 3:
                                return f"Stopped: {name} ran three times alike"
            case {"content": text}:
                return text
    return "Stopped: no turns left"
