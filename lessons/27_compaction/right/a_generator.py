import json

KEEP = 2
CHANGES = ("edit_file", "write_file")
MARK = "[A summary of what stood here. A model wrote it, not the person.]"
FACTS = "[What the program knows of it:]"
ORDER = "Stop. Summarise for whoever goes on: the files, the changes and why, the failures, what is left."


def lines_of(messages):
    results = {m["tool_call_id"]: m["content"] for m in messages if m["role"] == "tool"}
    for m in messages:
        if m["role"] == "user" and m["content"].startswith(MARK):
            yield from m["content"].rsplit(FACTS, 1)[1].split("\n")
        for call in m.get("tool_calls", []):
            name, path = call["function"]["name"], json.loads(call["function"]["arguments"])["path"]
            head, _, _ = results[call["id"]].partition("\n")
            if head.startswith("Error: "):
                yield f"failed {name} {path}: {head}"
            elif name in CHANGES:
                yield f"changed {path}"


def facts(messages):
    return [line for line in dict.fromkeys(lines_of(messages)) if line]


def shortened(messages, ask, cut):
    text = ask(messages[:cut] + [{"role": "user", "content": ORDER}])
    yield from messages[:2]
    for m in messages[2:cut]:
        if m["role"] == "user" and not m["content"].startswith(MARK):
            yield m
    yield {"role": "user", "content": "\n".join((MARK, text, FACTS, *facts(messages[:cut])))}
    yield from messages[cut:]


def compact(messages, budget, ask):
    begins = [i for i, m in enumerate(messages) if m["role"] == "assistant"]
    if len(json.dumps(messages)) // 4 > budget and len(begins) > KEEP:
        return list(shortened(messages, ask, begins[-KEEP]))
    return messages
