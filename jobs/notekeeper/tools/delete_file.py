"""Tool: delete a file."""

from __future__ import annotations

from functions import ToolError
from functions.refused import refused
from functions.tool import Arguments, Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "delete_file",
    "description": "Delete one file. The run can be undone.",
    "parameters": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "Relative path"}},
        "required": ["path"],
    },
}


def delete_file(kb: KnowledgeBase, path: str) -> str:
    """Delete it, and name the notes whose links to it are now broken."""
    try:
        pointing = kb.pointing_at(path)
        kb.root.remove(path)
    except Refusal as refusal:
        return refused(refusal, kb.root, path, "file") if refusal.reason == "missing" else ToolError(refusal)
    return f'Deleted "{path}"' + (f". Links to it in {', '.join(pointing)} are broken now" if pointing else "")


def change(kb: KnowledgeBase, arguments: Arguments) -> tuple[str, str]:
    """The text that is about to go."""
    return kb.root.read_text(arguments["path"]), ""


TOOL = Tool(
    name="delete_file",
    function=delete_file,
    schema=SCHEMA,
    reads_only=False,
    path="path",
    changes_files=True,
    resource="kb",
    change=change,
)
