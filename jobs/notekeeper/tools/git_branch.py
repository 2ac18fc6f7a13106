"""Tool: the branches, or change to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from functions import ToolError
from functions.tool import Tool
from reach.repository import Repository
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "git_branch",
    "description": "List the branches; with a name change to that one, making it where it is not there.",
    "parameters": {
        "type": "object",
        "properties": {"name": {"type": "string", "default": "", "description": "Branch to change to"}},
        "required": [],
    },
}


def reads_only(arguments: Mapping[str, Any]) -> bool:
    return not arguments.get("name")


def git_branch(repository: Repository, name: str = "") -> str:
    try:
        return repository.switch(name) if name else repository.branches()
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="git_branch", function=git_branch, schema=SCHEMA, reads_only=reads_only, resource="repository")
