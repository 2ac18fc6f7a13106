"""Tool: delete a folder with all that is in it."""

from __future__ import annotations

from functions import ToolError
from functions.missing import refused
from functions.tool import Tool
from sandbox.files.root import Refusal, Root

MOST = 200  # files in one call
SCHEMA = {
    "name": "delete_folder",
    "description": "Delete a folder. The run can be undone.",
    "parameters": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Relative path"},
            "recursive": {"type": "boolean", "default": False, "description": "Whether it may hold anything"},
        },
        "required": ["path"],
    },
}


def delete_folder(root: Root, path: str, recursive: bool = False) -> str:
    """Delete it; one that holds something only when that is said."""
    try:
        if not root.list(path):
            root.remove_folder(path)
            return f'Deleted "{path}", which was empty'
        files = [found for found, _ in root.walk(path)]
        if not recursive:
            return ToolError(f'"{path}" holds {len(files)} files; to delete them too, call it with recursive true')
        if len(files) > MOST:
            return ToolError(f'"{path}" holds {len(files)} files; more than {MOST} are not deleted at once')
        for found in files:
            root.remove(found)
        emptied(root, path)
    except Refusal as refusal:
        return refused(refusal, root, path, "directory")
    return f'Deleted "{path}" with {len(files)} files'


def emptied(root: Root, path: str) -> None:
    """Remove the folders that are left, the deepest first; one that still holds a link or the like is a Refusal."""
    for entry in root.list(path):
        if entry.kind == "directory":
            emptied(root, f"{path}/{entry.name}")
    root.remove_folder(path)


TOOL = Tool(name="delete_folder", function=delete_folder, schema=SCHEMA, reads_only=False, changes_files=True)
