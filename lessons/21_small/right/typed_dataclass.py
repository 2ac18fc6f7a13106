from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
import itertools
import json
import re

THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
NUMBERS = itertools.count(1)


def call(name, arguments):
    """A call of ours, as the model's own look in its message."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": f"ours_{next(NUMBERS)}", "type": "function", "function": function}


def result(call, text):
    """The tool message that answers a call."""
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


Message = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    name: str
    arguments: dict[str, Any]

    @classmethod
    def from_text(cls, text: str, names: list[str]) -> Wanted | None:
        try:
            data: Any = json.loads(text)
        except json.JSONDecodeError:
            return None
        if not isinstance(data, dict):
            return None
        name, arguments = data.get("name"), data.get("arguments")
        if name in list(names) and isinstance(arguments, dict):
            return cls(name, arguments)
        return None


def opening(
    messages: list[Message], looks: list[tuple[str, dict[str, Any]]], call_tool: Callable[[str, str], str]
) -> list[Message]:
    begun: list[Message] = list(messages)
    calls: list[dict[str, Any]] = [call(look[0], look[1]) for look in looks]
    begun.append({"role": "assistant", "content": "I look first.", "tool_calls": calls})
    for each in calls:
        function: dict[str, str] = each["function"]
        begun.append(result(each, call_tool(function["name"], function["arguments"])))
    return begun


def mended(message: Message, names: list[str]) -> Message:
    if message.get("tool_calls"):
        return message
    said: str = THOUGHT.sub("", message.get("content") or "")
    wanted: list[Wanted | None] = [Wanted.from_text(text, names) for text in CALL.findall(said)]
    if not wanted or None in wanted:
        return message
    calls = [call(each.name, each.arguments) for each in wanted if each]
    return {"role": "assistant", "content": CALL.sub("", said), "tool_calls": calls}
