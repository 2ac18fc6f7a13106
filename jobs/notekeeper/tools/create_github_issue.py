"""Tool: open an issue on GitHub."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.github import GitHub
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "create_github_issue",
    "description": "Open an issue.",
    "parameters": {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "One line"},
            "body": {"type": "string", "description": "Markdown"},
        },
        "required": ["title", "body"],
    },
}


def create_github_issue(github: GitHub, title: str, body: str) -> str:
    try:
        made = github.post("/issues", {"title": title, "body": body})
        return f"Opened issue #{made['number']}: {made['html_url']}"
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(
    name="create_github_issue", function=create_github_issue, schema=SCHEMA, reads_only=False, resource="github"
)
