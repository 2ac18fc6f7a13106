"""Tool: what differs from the last commit."""

from __future__ import annotations

from config import MAX_CHARACTERS
from functions import ToolError
from functions.tool import Tool
from reach.repository import Repository
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "git_diff",
    "description": "Changes since the last commit",
    "parameters": {
        "type": "object",
        "properties": {"path": {"type": "string"}},
        "required": [],
    },
}


def git_diff(repository: Repository, path: str = ".") -> str:
    """Return the patch, at most 10,000 characters of it."""
    try:
        patch = repository.diff(path)
    except Refusal as refusal:
        return ToolError(refusal)
    if len(patch) > MAX_CHARACTERS:
        return f"{patch[:MAX_CHARACTERS]}\n[...cut at {MAX_CHARACTERS} characters; name a path to see less at once]"
    return patch or "Nothing differs from the last commit (files that are new are not compared; see git_status)."


TOOL = Tool(name="git_diff", function=git_diff, schema=SCHEMA, reads_only=True, resource="repository")
