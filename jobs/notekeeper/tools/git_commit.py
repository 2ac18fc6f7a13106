"""Tool: commit all changes."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.repository import Repository
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "git_commit",
    "description": "Commit all changes in the folder.",
    "parameters": {
        "type": "object",
        "properties": {"message": {"type": "string", "description": "What changed"}},
        "required": ["message"],
    },
}


def git_commit(repository: Repository, message: str) -> str:
    try:
        return repository.commit(message)
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="git_commit", function=git_commit, schema=SCHEMA, reads_only=False, resource="repository")
