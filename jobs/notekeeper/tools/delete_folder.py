"""Tool: delete a folder with all that is in it."""

from __future__ import annotations

import posixpath

from functions import ToolError
from functions.refused import refused
from functions.tool import Tool
from sandbox.files.root import IGNORED, Refusal, Root

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
    """Delete it; one that holds something only when that is said. Nothing is deleted before all of it was looked at."""
    if posixpath.normpath(path or ".") == ".":
        return ToolError("this is the whole folder of notes, which is never deleted; give a folder in it")
    try:
        files, folders = held_by(root, path)
        if files and not recursive:
            return ToolError(f'"{path}" holds {len(files)} files; to delete them too, call it with recursive true')
        if len(files) > MOST:
            return ToolError(f'"{path}" holds {len(files)} files; more than {MOST} are not deleted at once')
        for found in files:
            root.remove(found)
        for folder in folders:
            root.remove_folder(folder)
    except Refusal as refusal:
        return refused(refusal, root, path, "directory")
    return f'Deleted "{path}"' + (f" with {len(files)} files" if recursive else ", which was empty")


def held_by(root: Root, path: str) -> tuple[list[str], list[str]]:
    """Every file of a folder, and every folder with itself, the deepest first. Raises Refusal where it holds what may
    not be deleted: a link, or a folder such as .git."""
    files, folders = [], []
    for entry in root.entries(path):
        below = f"{path}/{entry.name}"
        if entry.kind == "file":
            files.append(below)
        elif entry.kind == "directory" and entry.name not in IGNORED:
            more = held_by(root, below)
            files, folders = files + more[0], folders + more[1]
        else:
            raise Refusal(f'"{path}" holds "{entry.name}", which may not be deleted, so nothing was', "denied")
    return files, [*folders, path]


TOOL = Tool(name="delete_folder", function=delete_folder, schema=SCHEMA, reads_only=False, changes_files=True)
