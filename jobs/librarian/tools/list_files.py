"""Tool: what is in a directory, a name a line."""

from __future__ import annotations

from pathlib import Path

from functions import Result
from functions.refused import refused
from functions.tool import Tool
from sandbox.files.root import Refusal, Root, hold

SCHEMA = {
    "name": "list_files",
    "description": "List a directory: one name a line, a directory's name ends in a slash.",
    "parameters": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": 'Relative path; "." is the top'}},
    },
}


def list_files(working_directory: str | Path | Root, path: str = ".") -> str:
    """Return the names in a directory, sorted."""
    try:
        with hold(working_directory) as root:
            entries = root.entries(path)
    except Refusal as refusal:
        return refused(refusal, working_directory, path, "directory")
    names = [f"{entry.name}/" if entry.kind == "directory" else entry.name for entry in entries]
    return Result("\n".join(names) or "The directory is empty", [(path, [])])


TOOL = Tool(name="list_files", function=list_files, schema=SCHEMA, reads_only=True, path="path")
