"""Calls and changes as short, harmless text: for the screen, and for a person who is asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agent.contracts import ToolCall

if TYPE_CHECKING:
    from agent.run import Run
    from functions.tool import Tool

WIDEST_ARGUMENT = 40  # characters of an argument beside the main one
LARGEST_COMPARED = 200_000  # characters of a text whose change is shown line by line


def printable(text: str) -> str:
    """Spell out every character that a terminal would obey: escapes, carriage returns, bidirectional controls."""
    return text if text.isprintable() else "".join(map(_printable, text))


def one_line(text: str) -> str:
    """As `printable`, on one line: a line break in the name of a file must not look like another line of ours."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _printable(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def arguments_text(call: ToolCall) -> str:
    """Return all of a call's arguments on one line."""
    arguments = call.readable
    if not isinstance(arguments, dict):
        return str(arguments)
    return ", ".join(f"{name}={_json(value)}" for name, value in arguments.items())


def short_arguments(call: ToolCall, tool: Tool | None, width: int) -> str:
    """Return what a call is about in at most `width` characters: the tool's first parameter bare, then the others,
    unless they are shown as a change."""
    arguments = call.readable
    if not isinstance(arguments, dict):
        return cut(str(arguments), width)
    main = next(iter(tool.parameters.get("properties") or ()), "") if tool else ""
    parts = [str(arguments[main])] if main in arguments else []
    if not (tool and tool.change):
        parts += [f"{name}={cut(_json(value), WIDEST_ARGUMENT)}" for name, value in arguments.items() if name != main]
    return cut(" ".join(" ".join(parts).split()), width)


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def change_in(call: ToolCall, run: Run) -> list[str]:
    """Return what a call is about to change, as a diff's lines without its heads; none for calls that write nothing."""
    tool = run.catalogue.get(call.name)
    if tool is None or tool.change is None:
        return []
    try:
        old, new = tool.change(run.resources.get(tool.resource), call.readable)
    except Exception:  # a call that cannot work: its result will say why
        return []
    if max(len(old), len(new)) > LARGEST_COMPARED:
        return [f"+{len(new):,} characters in place of {len(old):,}"]
    return lines_changed(old.split("\n"), new.split("\n"))


def lines_changed(old: list[str], new: list[str]) -> list[str]:
    """The lines of a diff, with one of context, and "..." between its parts."""
    from records.undo.tree import changed_part

    start, old_end, new_end = changed_part(old, new)
    if set(old[start:old_end]).isdisjoint(new[start:new_end]):  # one part, replaced as a whole
        around = [f" {line}" for line in old[max(start - 1, 0) : start]], [f" {line}" for line in old[old_end:][:1]]
        changed = [f"-{line}" for line in old[start:old_end]] + [f"+{line}" for line in new[start:new_end]]
        return [*around[0], *changed, *around[1]] if changed else []
    from records.undo.compared import grouped

    found: list[str] = []
    for group in grouped(old, new, 1):
        found += ["..."] if found else []
        for tag, start, end, new_start, new_end in group:
            same = tag == "equal"
            found += [f" {line}" if same else f"-{line}" for line in old[start:end]]
            found += [] if same else [f"+{line}" for line in new[new_start:new_end]]
    return found
