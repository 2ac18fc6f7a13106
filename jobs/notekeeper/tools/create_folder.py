"""Tool: make a folder."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from jobs.notekeeper.knowledge_base import unread
from sandbox.files.root import Refusal, Root

SCHEMA = {
    "name": "create_folder",
    "description": "Make a folder. A note's own folder is made with the note.",
    "parameters": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "Relative path"}},
        "required": ["path"],
    },
}


def create_folder(root: Root, path: str) -> str:
    """Make it, with those above it."""
    try:
        if root.exists(path, verb="write to"):
            return ToolError(f'"{path}" is there already')
        if why := unread(path):
            return ToolError(why)
        root.make_folder(path)
    except Refusal as refusal:
        return ToolError(refusal)
    return f'Made the folder "{path}"'


TOOL = Tool(
    name="create_folder", function=create_folder, schema=SCHEMA, reads_only=False, path="path", changes_files=True
)
