"""Calls and changes as short, harmless text: for the screen, and for a person who is asked."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent.contracts import ToolCall, readable_arguments

if TYPE_CHECKING:
    from sandbox.files.root import Root

WIDEST_ARGUMENT = 40  # characters of an argument beside the main one
LARGEST_COMPARED = 200_000  # characters of a text whose change is shown line by line
MAIN = ("file_path", "path", "directory", "query")
SHOWN_AS_CHANGE = ("old_text", "new_text", "content")


def printable(text: str) -> str:
    """Spell out every character that a terminal would obey: escapes, carriage returns, bidirectional controls."""
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def arguments_text(call: ToolCall) -> str:
    """Return all of a call's arguments on one line."""
    arguments = readable_arguments(call.arguments)
    if not isinstance(arguments, dict):
        return str(arguments)
    return ", ".join(f"{name}={_json(value)}" for name, value in arguments.items())


def short_arguments(call: ToolCall, width: int) -> str:
    """Return what a call is about in at most `width` characters: the main argument bare, then the others."""
    arguments = readable_arguments(call.arguments)
    if not isinstance(arguments, dict):
        return cut(str(arguments), width)
    main = next((name for name in MAIN if name in arguments), "")
    parts = [str(arguments[main])] if main else []
    for name, value in arguments.items():
        if name != main and name not in SHOWN_AS_CHANGE:
            parts.append(f"{name}={cut(_json(value), WIDEST_ARGUMENT)}")
    return cut(" ".join(" ".join(parts).split()), width)


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def change_in(call: ToolCall, root: Root) -> list[str]:
    """Return what a call is about to change, as a diff's lines without its heads; none for calls that write nothing."""
    arguments = readable_arguments(call.arguments)
    if call.name not in ("edit_file", "write_file") or not isinstance(arguments, dict):
        return []
    try:
        old, new = _texts(call.name, arguments, root)
    except Exception:  # a call that cannot work: its result will say why
        return []
    if max(len(old), len(new)) > LARGEST_COMPARED:
        return [f"+{len(new):,} characters in place of {len(old):,}"]
    lines = list(difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=1))[3:]
    return ["..." if line.startswith("@@") else line for line in lines]


def _texts(name: str, arguments: Mapping[str, Any], root: Root) -> tuple[str, str]:
    path = arguments["file_path"]
    old = root.read_text(path) if root.is_file(path) else ""
    if name == "write_file":
        return old, arguments["content"]
    return old, old.replace(arguments["old_text"], arguments["new_text"], 1)
