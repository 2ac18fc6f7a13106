"""Tool: list the files and directories in a directory."""

from __future__ import annotations

from pathlib import Path

from functions.refused import refused
from functions.tool import Tool
from sandbox.files.root import Refusal, Root, hold

MAX_ENTRIES = 500

SCHEMA = {
    "name": "get_dir_info",
    "description": "List the files in a directory, with sizes.",
    "parameters": {
        "type": "object",
        "properties": {"directory": {"type": "string", "description": 'Relative path; "." is the working directory'}},
        "required": [],
    },
}


def get_dir_info(working_directory: str | Path | Root, directory: str = ".") -> str:
    """Return one line for each entry of `directory`, sorted by name; the first 500 when there are more."""
    try:
        with hold(working_directory) as root:
            entries = root.entries(directory)
    except Refusal as refusal:
        return refused(refusal, working_directory, directory, "directory")
    lines = [f"- {entry.name}: file_size={entry.size} bytes, is_dir={entry.kind == 'directory'}" for entry in entries]
    if len(lines) > MAX_ENTRIES:
        more = len(lines) - MAX_ENTRIES
        lines[MAX_ENTRIES:] = [f"[...{more} more entries. Find a file by name or content with search_files.]"]
    return "\n".join(lines) or f'"{directory}" is empty'


TOOL = Tool(name="get_dir_info", function=get_dir_info, schema=SCHEMA, reads_only=True, path="directory")
