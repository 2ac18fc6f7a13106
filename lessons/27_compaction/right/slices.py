import json
from itertools import chain

KEEP = 2
CHANGES = ("edit_file", "write_file")
MARK = "[A summary of what stood here. A model wrote it, not the person.]"
FACTS = "[What the program knows of it:]"
ORDER = "Write a summary, and nothing else: files, what was changed, what failed, what is to do."


def facts(messages):
    asked = chain.from_iterable(message.get("tool_calls", []) for message in messages)
    results = (message["content"] for message in messages if message["role"] == "tool")
    lines = []
    for message in filter(marked, messages):
        lines.extend(message["content"].split(FACTS)[-1].strip("\n").split("\n"))
    for call, result in zip(asked, results):
        name, path = call["function"]["name"], json.loads(call["function"]["arguments"])["path"]
        line = f"changed {path}" if name in CHANGES else None
        if result.startswith("Error: "):
            line = f"failed {name} {path}: {result.split(chr(10), 1)[0]}"
        lines.append(line)
    seen = set()
    return [line for line in lines if line and not (line in seen or seen.add(line))]


def marked(message):
    return message["role"] == "user" and message["content"].startswith(MARK)


def compact(messages, budget, ask):
    cut, turns = len(messages), 0
    while turns < KEEP and cut > 2:
        cut -= 1
        turns += messages[cut]["role"] == "assistant"
    worth = any(message["role"] == "assistant" for message in messages[:cut])
    if not worth or len(json.dumps(messages)) // 4 <= budget:
        return messages[:]
    summary = {"role": "user"}
    summary["content"] = f"{MARK}\n{ask(messages[:cut] + [{'role': 'user', 'content': ORDER}])}\n{FACTS}\n"
    summary["content"] += "\n".join(facts(messages[:cut]))
    left = messages[:2]
    left.extend(each for each in messages[2:cut] if each["role"] == "user" and not marked(each))
    left.append(summary)
    return left + messages[cut:]
