"""Tool: what git says has changed since the last commit."""

from __future__ import annotations

from functions import ToolError
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
READS_ONLY = True
HOLDS = "repository"


def git_status(repository: Repository) -> str:
    try:
        return repository.status()
    except Refusal as refusal:
        return ToolError(refusal)
