import json

KEEP = 2
CHANGES = ("edit_file", "write_file")
MARK = "[A summary of what stood here. A model wrote it, not the person.]"
FACTS = "[What the program knows of it:]"
ORDER = "Write a summary: the files, what was changed and why, what failed, what is still to do. Make no call."


def turns_of(messages):
    """Lists of messages, each beginning with one of the model; what stands before the first is no turn."""
    turns = [[]]
    for message in messages:
        if message["role"] == "assistant":
            turns.append([])
        turns[-1].append(message)
    return turns


def flat(turns):
    return [message for turn in turns for message in turn]


def is_summary(message):
    return message["role"] == "user" and message["content"].startswith(MARK)


def fact(function, result):
    path = json.loads(function["arguments"])["path"]
    if result[:7] == "Error: ":
        return f"failed {function['name']} {path}: {result.partition(chr(10))[0]}"
    return f"changed {path}" if function["name"] in CHANGES else ""


def facts(messages):
    found = []
    results = {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}
    for message in messages:
        if is_summary(message):
            found = message["content"].split("\n")
            found = found[len(found) - found[::-1].index(FACTS) :]
        for call in message.get("tool_calls") or ():
            found.append(fact(call["function"], results[call["id"]]))
    return [line for index, line in enumerate(found) if line and line not in found[:index]]


def compact(messages, budget, ask):
    turns = turns_of(messages)
    if len(json.dumps(messages)) // 4 <= budget or len(turns) - 1 <= KEEP:
        return list(messages)
    old = flat(turns[:-KEEP])
    summary = MARK + "\n" + ask(old + [{"role": "user", "content": ORDER}]) + "\n" + FACTS
    for line in facts(old):
        summary += "\n" + line
    person = [message for message in old[2:] if message["role"] == "user" and not is_summary(message)]
    return old[:2] + person + [{"role": "user", "content": summary}] + flat(turns[-KEEP:])
