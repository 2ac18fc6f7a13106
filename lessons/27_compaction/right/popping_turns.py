import json

KEEP = 2  # turns that stay as they are: the newest
CHANGES = ("edit_file", "write_file")
MARK = "[A summary of what stood here. A model wrote it, not the person.]"
FACTS = "[What the program knows of it:]"
ORDER = """Do not go on with the task, and make no call. Write a summary for whoever goes on without all this: the names
of the files, what was changed and why, what was tried and failed, what is still to do."""


def size(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


def is_summary(message):
    return message["role"] == "user" and message["content"].startswith(MARK)


def steps_of(messages):
    """(name, path, result) of each call, in order."""
    results = {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}
    calls = [call for message in messages for call in message.get("tool_calls", [])]
    functions = [(call["function"], results.get(call["id"], "")) for call in calls]
    return [(each["name"], json.loads(each["arguments"])["path"], result) for each, result in functions]


def earlier_facts(messages):
    """The lines below FACTS in a summary that is among the messages."""
    found = [message["content"].rpartition(FACTS)[2] for message in messages if is_summary(message)]
    return found[-1].split("\n")[1:] if found else []


def facts(messages):
    lines = earlier_facts(messages)
    for step in steps_of(messages):
        match step:
            case (name, path, result) if result.startswith("Error: "):
                lines.append(f"failed {name} {path}: {result.partition(chr(10))[0]}")
            case (name, path, _) if name in CHANGES:
                lines.append(f"changed {path}")
    return [line for at, line in enumerate(lines) if line not in lines[:at]]


def compact(messages, budget, ask):
    if size(messages) <= budget:
        return list(messages)
    old, tail, turns = list(messages), [], 0
    while turns < KEEP and old:
        tail.insert(0, old.pop())
        turns += tail[0]["role"] == "assistant"
    if not any(message["role"] == "assistant" for message in old):
        return list(messages)
    summary = ask(old + [dict(role="user", content=ORDER)])
    head, middle = old[:2], old[2:]
    persons = [message for message in middle if message["role"] == "user" and not is_summary(message)]
    noted = "\n".join((MARK, summary, FACTS) + tuple(facts(old)))
    return head + persons + [dict(role="user", content=noted)] + tail
