"""Tool: push the branch."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.repository import Repository
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "git_push",
    "description": "Push the branch to its configured remote, never forced.",
    "parameters": {
        "type": "object",
        "properties": {},
        "required": [],
    },
}


def git_push(repository: Repository) -> str:
    try:
        return repository.push()
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="git_push", function=git_push, schema=SCHEMA, reads_only=False, resource="repository")
