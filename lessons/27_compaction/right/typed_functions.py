from __future__ import annotations
from collections.abc import Callable
from typing import Any
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


Message = dict[str, Any]


def line_of(name: str, path: str, result: str) -> str | None:
    if result.startswith("Error: "):
        return f"failed {name} {path}: {result.splitlines()[0]}"
    return f"changed {path}" if name in CHANGES else None


def facts(messages: list[Message]) -> list[str]:
    new: list[str | None] = [line_of(*step) for step in steps_of(messages)]
    return list(dict.fromkeys([*earlier_facts(messages), *(line for line in new if line)]))


def said_by_person(message: Message) -> bool:
    return message["role"] == "user" and not is_summary(message)


def compact(messages: list[Message], budget: int, ask: Callable[[list[Message]], str]) -> list[Message]:
    begins: list[int] = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    if size(messages) <= budget or len(begins) <= KEEP:
        return messages
    cut: int = begins[-KEEP]
    old, new = messages[:cut], messages[cut:]
    text: str = ask([*old, {"role": "user", "content": ORDER}])
    summary: Message = {"role": "user", "content": "\n".join([MARK, text, FACTS, *facts(old)])}
    return [*old[:2], *filter(said_by_person, old[2:]), summary, *new]
