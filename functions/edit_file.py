"""Tool: replace one exact piece of text in a file."""

from __future__ import annotations

import difflib
import itertools
import re
from pathlib import Path

from functions import Result, ToolError, lines_of, refused
from functions.tool import Arguments, Tool
from sandbox.files.root import Refusal, Root, hold

MAX_LINES_COMPARED = 5_000
MOST_NAMED = 20  # places where the text occurs

SCHEMA = {
    "name": "edit_file",
    "description": "Replace old_text, which must occur exactly once in the file, by new_text.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Relative path"},
            "old_text": {"type": "string", "description": "Exact text with its indentation"},
            "new_text": {"type": "string"},
        },
        "required": ["file_path", "old_text", "new_text"],
    },
}


def edit_file(working_directory: str | Path | Root, file_path: str, old_text: str, new_text: str) -> str:
    """Replace the one occurrence of `old_text`; none or several are an error that says what is there instead."""
    if not old_text:
        return ToolError("old_text is empty; give the exact text to replace, or use write_file for a whole file")
    if old_text == new_text:
        return ToolError("old_text and new_text are the same, so nothing would change")
    line = [0]

    def edited(text: str) -> str:
        found = occurrences(text, old_text)
        if len(found) != 1:
            raise Refusal(many(file_path, text, found) if found else no_match(file_path, text, old_text), "no match")
        line[0] = line_at(text, found[0][0])
        return with_new(text, found[0], new_text)

    try:
        with hold(working_directory) as root:
            root.change_text(file_path, edited)
    except Refusal as refusal:
        return refused(refusal, working_directory, file_path, "file")
    return Result(
        f'Successfully edited "{file_path}" at line {line[0]}', [(file_path, lines_of(new_text or "\n", line[0]))]
    )


def occurrences(text: str, part: str) -> list[tuple[int, int]]:
    """Return where `part` begins and ends in `text`, overlapping ones included: each would be a different edit. Where
    it is not there to the letter, any newline in it stands for any in the text: a model seldom writes "\\r\\n" back."""
    lines = map(re.escape, part.replace("\r\n", "\n").split("\n"))
    for expression in (re.escape(part), "\r?\n".join(lines)):
        found = re.finditer(f"(?=({expression}))", text)
        places = [match.span(1) for match in itertools.islice(found, MOST_NAMED)]
        if places:
            return places
    return []


def with_new(text: str, place: tuple[int, int], new_text: str) -> str:
    """The text with another at that place. A mixture of newlines gets what the model sent; every other file has one
    kind, which writing it keeps."""
    new_text = new_text if "\r\n" in text else new_text.replace("\r\n", "\n")
    return text[: place[0]] + new_text + text[place[1] :]


def line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def many(file_path: str, text: str, found: list[tuple[int, int]]) -> str:
    lines = ", ".join(str(line_at(text, offset)) for offset, _ in found)
    return f'old_text occurs more than once in "{file_path}" (lines {lines}); add neighbouring lines until it is unique'


def no_match(file_path: str, text: str, old_text: str) -> str:
    """Name the lines that come closest to the first line of what was looked for: mostly it is the indentation."""
    wanted = next((line for line in old_text.split("\n") if line.strip()), "").strip()
    lines = text.split("\n")[:MAX_LINES_COMPARED]
    near = difflib.get_close_matches(wanted[:200], [line.strip()[:200] for line in lines], n=3, cutoff=0.6)
    shown = [f"line {number}: {line}" for number, line in enumerate(lines, 1) if line.strip()[:200] in near][:3]
    sentence = f'old_text was not found in "{file_path}"'
    if not shown:
        return f"{sentence}; read the file again with get_file_content and copy the text exactly"
    return "\n".join([f"{sentence}. The closest lines, to be copied exactly with their indentation:", *shown])


def change(root: Root, arguments: Arguments) -> tuple[str, str]:
    """The text of the file as it is, and as it would be."""
    text = root.read_text(arguments["file_path"])
    found = occurrences(text, arguments["old_text"])
    return text, with_new(text, found[0], arguments["new_text"]) if len(found) == 1 else text


TOOL = Tool(
    name="edit_file",
    function=edit_file,
    schema=SCHEMA,
    reads_only=False,
    path="file_path",
    changes_files=True,
    change=change,
)
