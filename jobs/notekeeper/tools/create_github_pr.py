"""Tool: open a pull request on GitHub."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.github import GitHub
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "create_github_pr",
    "description": "Open a pull request from a branch that is pushed already.",
    "parameters": {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "One line"},
            "body": {"type": "string", "description": "Markdown"},
            "branch": {"type": "string", "description": "The branch with the changes"},
            "base": {"type": "string", "default": "", "description": "Branch to merge into; empty for the main one"},
        },
        "required": ["title", "body", "branch"],
    },
}


def create_github_pr(github: GitHub, title: str, body: str, branch: str, base: str = "") -> str:
    try:
        into = base or github.get("")["default_branch"]
        made = github.post("/pulls", {"title": title, "body": body, "head": branch, "base": into})
        return f"Opened pull request #{made['number']} from {branch} into {into}: {made['html_url']}"
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="create_github_pr", function=create_github_pr, schema=SCHEMA, reads_only=False, resource="github")
