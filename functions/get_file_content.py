"""Tool: read a text file, a long one in pages."""

from __future__ import annotations

from pathlib import Path

from config import MAX_CHARACTERS
from functions import Result, ToolError, lines_of
from functions.pages import page, read_on, split_lines
from functions.refused import refused
from functions.tool import Tool
from sandbox.files.root import Refusal, Root, hold

SCHEMA = {
    "name": "get_file_content",
    "description": f"Read a text file. Past {MAX_CHARACTERS} characters it comes in pages.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Relative path"},
            "start_line": {"type": "integer", "description": "First line to read, from 1"},
        },
        "required": ["file_path"],
    },
}


def get_file_content(working_directory: str | Path | Root, file_path: str, start_line: int = 1) -> str:
    """Return the file's text from `start_line` on, at most 10,000 characters of whole lines.

    A page that is not the last ends with a note that says which `start_line` reads on.
    """
    try:
        with hold(working_directory) as root:
            text = root.read_text(file_path)
    except Refusal as refusal:
        return refused(refusal, working_directory, file_path, "file")
    if start_line < 1:
        return ToolError(f"start_line is {start_line}, but lines are counted from 1")
    if start_line == 1 and len(text) <= MAX_CHARACTERS:
        return Result(text, [(file_path, lines_of(text))])
    lines = split_lines(text)
    if start_line > len(lines):
        return ToolError(f'"{file_path}" has {len(lines)} lines, so there is no line {start_line}')
    shown, last = page(file_path, lines, start_line)
    return Result(shown, [(file_path, [(start_line, last)])])


TOOL = Tool(
    name="get_file_content",
    function=get_file_content,
    schema=SCHEMA,
    reads_only=True,
    path="file_path",
    read_on=read_on,
)
