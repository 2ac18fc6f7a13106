"""Tool: comment on an issue or a pull request."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from reach.github import GitHub
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "comment_on_issue",
    "description": "Comment on an issue or a pull request.",
    "parameters": {
        "type": "object",
        "properties": {
            "issue_number": {"type": "integer", "minimum": 1, "description": "Its number"},
            "comment": {"type": "string", "description": "Markdown"},
        },
        "required": ["issue_number", "comment"],
    },
}


def comment_on_issue(github: GitHub, issue_number: int, comment: str) -> str:
    try:
        made = github.post(f"/issues/{issue_number}/comments", {"body": comment})
        return f"Commented on #{issue_number}: {made['html_url']}"
    except Refusal as refusal:
        return ToolError(refusal)


TOOL = Tool(name="comment_on_issue", function=comment_on_issue, schema=SCHEMA, reads_only=False, resource="github")
