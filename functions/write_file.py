"""Tool: write a whole file."""

from __future__ import annotations

from pathlib import Path

from functions import ToolError
from sandbox.files.root import Refusal, Root, hold

SCHEMA = {
    "name": "write_file",
    "description": "Create or overwrite a file with the complete content. To change part of a file use edit_file.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Relative path"},
            "content": {"type": "string", "description": "The whole new text"},
        },
        "required": ["file_path", "content"],
    },
}
READS_ONLY = False


def write_file(working_directory: str | Path | Root, file_path: str, content: str) -> str:
    """Write `content` atomically, with parent directories; an existing file keeps its mode, newline style and BOM."""
    try:
        with hold(working_directory) as root:
            root.write_text(file_path, content)
    except Refusal as refusal:
        return ToolError(refusal)
    return f'Successfully wrote to "{file_path}" ({len(content)} characters written)'
