"""Tool: the folders of the knowledge base, with how many notes each holds."""

from __future__ import annotations

from functions.tool import Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase

NAMED = 3  # titles shown a folder
SCHEMA = {
    "name": "get_kb_structure",
    "description": "List the folders (the categories), how many notes each holds and a few of their titles.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}


def get_kb_structure(kb: KnowledgeBase) -> str:
    """Return `folder/ (n notes): titles` a line."""
    titles = kb.titles()
    folders: dict[str, list[str]] = {}
    for path, title in titles.items():
        folders.setdefault(path.rpartition("/")[0], []).append(title)
    if not folders:
        return "There is no note yet, and no folder."
    lines = [
        f"{folder or '.'}/ ({len(names)} notes): {', '.join(names[:NAMED])}{', ...' if len(names) > NAMED else ''}"
        for folder, names in sorted(folders.items())
    ]
    return "\n".join(lines)


TOOL = Tool(name="get_kb_structure", function=get_kb_structure, schema=SCHEMA, reads_only=True, resource="kb")
