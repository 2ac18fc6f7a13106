"""compact() walks from the end, and puts each message where it belongs."""

import json

KEEP = 2
CHANGES = ("edit_file", "write_file")
MARK = "[A summary of what stood here. A model wrote it, not the person.]"
FACTS = "[What the program knows of it:]"
ORDER = "Make no call. Write a summary for whoever goes on: files, changes, failures, to-dos."


def facts(messages):
    lines, calls = {}, {}
    for message in messages:
        match message:
            case {"role": "user", "content": str(text)} if text.startswith(MARK):
                lines = dict.fromkeys(text.rpartition(FACTS)[2].split("\n")[1:])
            case {"role": "assistant", "tool_calls": asked}:
                calls |= {call["id"]: call["function"] for call in asked}
            case {"role": "tool", "tool_call_id": id, "content": result}:
                name, path = calls[id]["name"], json.loads(calls[id]["arguments"])["path"]
                if result.startswith("Error: "):
                    first, *_ = result.split("\n")
                    lines[f"failed {name} {path}: {first}"] = None
                elif name in CHANGES:
                    lines[f"changed {path}"] = None
    return list(lines)


def compact(messages, budget, ask):
    if len(json.dumps(messages)) // 4 <= budget:
        return messages
    new, said, turns = [], [], 0
    for message in reversed(messages[2:]):
        if turns < KEEP:
            new.insert(0, message)
            turns += message["role"] == "assistant"
        elif message["role"] == "user" and MARK not in message["content"]:
            said.insert(0, message)
    old = messages[: len(messages) - len(new)]
    if not any(message["role"] == "assistant" for message in old):
        return messages
    text = ask(old + [{"role": "user", "content": ORDER}])
    summary = "\n".join([MARK, text, FACTS] + facts(old))
    return messages[:2] + said + [dict(role="user", content=summary)] + new
