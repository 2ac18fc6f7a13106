"""Tool: read a file, or one section of it."""

from __future__ import annotations

import re
from pathlib import Path

from functions import Result, ToolError
from functions.pages import page, split_lines
from functions.refused import refused
from functions.tool import Tool
from index.documents import may_hold_a_secret
from index.reading import text_of
from index.sections import Section, sections_of
from sandbox.files.root import Refusal, Root, hold

SCHEMA = {
    "name": "read_file",
    "description": "Read a file, or one place in it as search_docs names it: wiki/a.md#section, app/b.py:42.",
    "parameters": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "Relative path, alone or with #section or :line"}},
        "required": ["path"],
    },
}
_PLACE = re.compile(r"(?P<path>.+?)(?:#(?P<anchor>[^#/.]*)|:(?P<line>\d{1,7})(?:-\d+)?)?", re.DOTALL)


def read_file(working_directory: str | Path | Root, path: str) -> str:
    """Return the text of a file, of the section with that anchor and all below it, or of the function at that line.

    At most 10,000 characters; a section begins with a line that says where it stands, and so does what is not read as
    UTF-8.
    """
    file, anchor, line = place_of(path)
    if may_hold_a_secret(file):
        return ToolError(f'"{file}" may hold a secret, and is not read here. Its example beside it may say enough')
    try:
        with hold(working_directory) as root:
            found = text_of(root, file)
    except Refusal as refusal:
        return refused(refusal, working_directory, file, "file")
    lines = split_lines(found.text)
    if line > len(lines):
        return ToolError(f'"{file}" has {len(lines)} lines, so there is no line {line}')
    sections = sections_of(file, found.text) if anchor or line else []
    part = with_all_below(sections, anchor) if anchor else around(sections, line or 1, len(lines))
    if part is None:
        return ToolError(f'"{file}" has no section "{anchor}". Its sections: {", ".join(anchors(sections)) or "none"}')
    first, last = part
    text, read = shown(file, lines[:last], first)
    sources = [(file, [(first, read)])]
    if not (anchor or line or found.how):
        return Result(text, sources)
    place = f"{file}#{anchor}" if anchor else file
    where = f"{place}: lines {first}-{last} of {len(lines)}{found.how and f', {found.how}'}"
    return Result(f"[{where}]\n{text}", sources)


def shown(file: str, lines: list[str], first: int) -> tuple[str, int]:
    """The lines from `first` on, at most 10,000 characters, with how to read on; and the last of them."""
    text, last = page(file, lines, first)
    if last == len(lines):
        return text.rstrip("\n") if first > 1 else text, last
    head, _, rest = text.rpartition("start_line=")
    return f"{head}path={file}:{rest}", last


def place_of(path: str) -> tuple[str, str, int]:
    """Return the file, the anchor ("") and the line (0) of a place."""
    found = _PLACE.fullmatch(path.strip())
    if not found:
        return path, "", 0
    return found["path"].removeprefix("./"), found["anchor"] or "", int(found["line"] or 0)


def with_all_below(sections: list[Section], anchor: str) -> tuple[int, int] | None:
    """The lines of a section and of those under it."""
    for place, section in enumerate(sections):
        if section.anchor == anchor.lower():
            way = (*section.above, section.heading)
            last = section.end
            for below in sections[place + 1 :]:
                if below.above[: len(way)] != way:
                    break
                last = below.end
            return section.line, last
    return None


def around(sections: list[Section], line: int, last: int) -> tuple[int, int]:
    """The lines of the innermost function or class that holds a line; in a document all from that line on."""
    holding = [each for each in sections if each.line <= line <= each.end and each.heading and not each.anchor]
    return (holding[-1].line, holding[-1].end) if holding else (line, last)


def anchors(sections: list[Section]) -> list[str]:
    return [section.anchor for section in sections if section.anchor][:30]


TOOL = Tool(name="read_file", function=read_file, schema=SCHEMA, reads_only=True, path="path")
