"""Tool: the issues and pull requests of a repository."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.github import GitHub
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "list_github_issues",
    "description": "List issues and pull requests, the newest first.",
    "parameters": {
        "type": "object",
        "properties": {
            "state": {"type": "string", "enum": ["open", "closed", "all"], "default": "open"},
        },
        "required": [],
    },
}


def list_github_issues(github: GitHub, state: str = "open") -> str:
    try:
        found = github.get(f"/issues?state={state}&per_page=50")
        lines = [
            f"#{each['number']} {kind} ({each['state']}): {each['title']}"
            for each in found
            for kind in ("pull request" if "pull_request" in each else "issue",)
        ]
        return "\n".join(lines) or f"There is none ({state})."
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="list_github_issues", function=list_github_issues, schema=SCHEMA, reads_only=True, resource="github")
