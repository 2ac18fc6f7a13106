"""Lesson 27: what a summary may not lose."""

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
    """Lines, none of them twice: those of an earlier summary, then what the calls changed, and which of them failed."""
    lines = earlier_facts(messages)
    raise NotImplementedError("go through steps_of(messages), and note what changed a file and what failed")


def compact(messages, budget, ask):
    """Return the messages, with a summary in place of the middle where they are over the budget. ask(messages) sends a
    request to the model, and returns its text."""
    begins = [index for index, message in enumerate(messages) if message["role"] == "assistant"]  # of the turns
    raise NotImplementedError("over the budget: ask for a summary of all but the last KEEP turns, and put it there")
