"""Tool: write a whole file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from functions import Result, ToolError, lines_of, must_compile
from functions.tool import Arguments, Tool
from sandbox.files.root import Refusal, Root, hold

LEAST_LINES = 6  # a shorter file is easily written anew; a real 1.5B cut one of eleven lines down to three

SCHEMA = {
    "name": "write_file",
    "description": "Create or overwrite a whole file. To change part of one use edit_file.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Relative path"},
            "content": {"type": "string", "description": "The whole new text"},
        },
        "required": ["file_path", "content"],
    },
}


def write_file(working_directory: str | Path | Root, file_path: str, content: str) -> str:
    """Write `content` atomically, with parent directories; an existing file keeps its mode, newline style and BOM.

    Refused is what would leave less than half of a file in place, as a model does that sends only the lines which it
    means to change, and what would stop a Python file from compiling. The first is a mistake or is meant, and no
    state tells which: who means it writes an empty line first, which is allowed and keeps the newline style, then anew.
    """
    try:
        with hold(working_directory) as root:
            before = text_before(root, file_path)
            must_not_lose_most(file_path, before, content)
            must_compile(file_path, before, content)
            root.write_text(file_path, content)
    except Refusal as refusal:
        return ToolError(refusal)
    said = f'Successfully wrote to "{file_path}" ({len(content)} characters written)'
    return Result(said, [(file_path, lines_of(content))])


def text_before(root: Root, file_path: str) -> str:
    """The text of the file that is there, "" where none is or where it is no text."""
    try:
        return root.read_text(file_path) if root.is_file(file_path) else ""
    except Refusal:
        return ""


def must_not_lose_most(file_path: str, before: str, content: str) -> None:
    """Raise Refusal where the new text has less than half of the lines of the old one, in number and by what they
    say."""
    old, new = ([line.strip() for line in text.split("\n") if line.strip()] for text in (before, content))
    kept = (Counter(old) & Counter(new)).total()
    if content.strip() and len(old) >= LEAST_LINES and max(2 * kept, 2 * len(new)) < len(old):
        raise Refusal(
            f'"{file_path}" has {len(old)} lines, of which {kept} would be left: write_file replaces the whole. To '
            "change a part of it call edit_file with the lines that are there and those that should be. If the rest is "
            "to go, call write_file with one empty line as content first, and then again",
            "loses most",
        )


def change(root: Root, arguments: Arguments) -> tuple[str, str]:
    """The text of the file as it is, and as it would be."""
    path = arguments["file_path"]
    return root.read_text(path) if root.is_file(path) else "", arguments["content"]


TOOL = Tool(
    name="write_file",
    function=write_file,
    schema=SCHEMA,
    reads_only=False,
    path="file_path",
    changes_files=True,
    change=change,
)
