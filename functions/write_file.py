"""Tool: write a whole file."""

from __future__ import annotations

from pathlib import Path

from functions import Result, ToolError, lines_of
from functions.tool import Arguments, Tool
from sandbox.files.root import Refusal, Root, hold

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
    """Write `content` atomically, with parent directories; an existing file keeps its mode, newline style and BOM."""
    try:
        with hold(working_directory) as root:
            root.write_text(file_path, content)
    except Refusal as refusal:
        return ToolError(refusal)
    said = f'Successfully wrote to "{file_path}" ({len(content)} characters written)'
    return Result(said, [(file_path, lines_of(content))])


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
