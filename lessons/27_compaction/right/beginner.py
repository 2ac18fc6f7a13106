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
    for name, path, result in steps_of(messages):
        line = None
        if result.startswith("Error: "):
            first_line = result.split("\n")[0]
            line = "failed " + name + " " + path + ": " + first_line
        elif name in CHANGES:
            line = "changed " + path
        if line is not None and line not in lines:
            lines.append(line)
    return lines


def compact(messages, budget, ask):
    if size(messages) <= budget:
        return messages
    begins = []
    for index in range(len(messages)):
        if messages[index]["role"] == "assistant":
            begins.append(index)
    if len(begins) <= KEEP:
        return messages
    cut = begins[len(begins) - KEEP]
    old = messages[:cut]
    request = old + [{"role": "user", "content": ORDER}]
    summary = ask(request)
    new = [messages[0], messages[1]]
    for message in old[2:]:
        if message["role"] == "user" and not is_summary(message):
            new.append(message)
    parts = [MARK, summary, FACTS]
    for fact in facts(old):
        parts.append(fact)
    new.append({"role": "user", "content": "\n".join(parts)})
    for message in messages[cut:]:
        new.append(message)
    return new
