"""Tool: what git says has changed since the last commit."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.repository import Repository
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "git_status",
    "description": "Branch, changed files",
    "parameters": {
        "type": "object",
        "properties": {},
        "required": [],
    },
}


def git_status(repository: Repository) -> str:
    try:
        return repository.status()
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="git_status", function=git_status, schema=SCHEMA, reads_only=True, resource="repository")
