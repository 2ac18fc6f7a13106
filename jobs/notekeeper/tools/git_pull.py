"""Tool: bring in what others pushed."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.repository import Repository
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "git_pull",
    "description": "Fetch the branch from its remote and merge it; on a conflict nothing is changed.",
    "parameters": {
        "type": "object",
        "properties": {},
        "required": [],
    },
}


def git_pull(repository: Repository) -> str:
    try:
        return repository.pull()
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="git_pull", function=git_pull, schema=SCHEMA, reads_only=False, resource="repository")
