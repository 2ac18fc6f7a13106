import itertools
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


def noted(lines, steps):
    if not steps:
        return lines
    (name, path, result), *rest = steps
    failed = result.startswith("Error: ")
    line = f"failed {name} {path}: {result.splitlines()[0]}" if failed else f"changed {path}"
    wanted = (failed or name in CHANGES) and line not in lines
    return noted(lines + [line] if wanted else lines, rest)


def facts(messages):
    return noted(earlier_facts(messages), steps_of(messages))


def turns(messages):
    """The messages as lists: what stands before the first turn, then a turn each."""
    marks = itertools.accumulate(message["role"] == "assistant" for message in messages)
    groups = itertools.groupby(zip(marks, messages), key=lambda pair: pair[0])
    return [[message for _, message in pairs] for _, pairs in groups]


def compact(messages, budget, ask):
    before, *rest = turns(messages)
    if size(messages) <= budget or len(rest) <= KEEP:
        return messages[:]
    old = sum(rest[:-KEEP], before)
    summary = "\n".join([MARK, ask(old + [{"role": "user", "content": ORDER}]), FACTS, *facts(old)])
    kept = [each for each in old[2:] if each["role"] == "user" if not is_summary(each)]
    return old[:2] + kept + [{"role": "user", "content": summary}] + sum(rest[-KEEP:], [])
