from __future__ import annotations
import enum
from collections.abc import Callable
from typing import Any
import json

READS = {"get_dir_info", "get_file_content", "search_files"}  # what only looks is never asked about


class Reply(enum.Enum):
    ONCE = ("y", "yes")
    ALWAYS = ("a", "all")
    NO = ()

    @classmethod
    def of(cls, typed: str) -> Reply:
        word: str = typed.strip().lower()
        return next((reply for reply in cls if word in reply.value), cls.NO)


def question_for(name: str, arguments: str) -> str:
    """All that will run, on one line."""
    return ascii(f"{name} {arguments}")


def permitted(call: dict[str, Any], ask: Callable[[str], str] | None, always: list[str]) -> str:
    name: str = call["function"]["name"]
    arguments: str = call["function"]["arguments"]
    if name in READS or name in always:
        return ""
    if ask is None:
        return f"Error: {name} needs a permission, and this is a script"
    typed: str = ask(question_for(name, arguments))
    reply: Reply = Reply.of(typed)
    if reply is Reply.NO:
        return f"Error: {name} was refused with the words {typed!r}"
    if reply is Reply.ALWAYS:
        always.append(name)
    return ""
