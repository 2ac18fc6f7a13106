from __future__ import annotations
from copy import deepcopy
from typing import Any
import json


def tokens(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


Message = dict[str, Any]


class Window:
    """Lines that are taken as long as there is room for them."""

    def __init__(self, room: int) -> None:
        self.left: int = room
        self.lines: list[str] = []

    def take(self, line: str) -> bool:
        if len(line) + 1 > self.left:
            return False
        self.left -= len(line) + 1
        self.lines.append(line)
        return True


def fit(lines: list[str], room: int) -> list[str]:
    window = Window(room)
    for line in lines[::-1]:
        if not window.take(line):
            break
    shown: list[str] = window.lines[::-1]
    missing: int = len(lines) - len(shown)
    return [f"(+ {missing} earlier)", *shown] if missing else shown


def to_send(messages: list[Message], state: str) -> list[Message]:
    copied: list[Message] = deepcopy(messages)
    turn: list[Message] = []
    while len(copied) > 2:
        message: Message = copied.pop()
        turn.insert(0, message)
        if message["role"] == "assistant":
            break
    else:
        turn = []
    system, task = copied[:2]
    task["content"] += "\n" + state
    return [system, task] + turn
