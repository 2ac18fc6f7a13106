"""Tool: find notes by the name of their file. First of three stages: names, then meaning, then the text itself."""

from __future__ import annotations

from fnmatch import fnmatchcase

from functions.tool import Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase, folders_of

MOST = 100
SCHEMA = {
    "name": "kb_search_files",
    "description": "Find notes by file name or folder, with * and ? as in a shell.",
    "parameters": {
        "type": "object",
        "properties": {"pattern": {"type": "string", "description": 'Such as "garden/*" or "*telescope*"'}},
        "required": ["pattern"],
    },
}


def kb_search_files(kb: KnowledgeBase, pattern: str) -> str:
    """Return the paths that match, with their titles, at most 100; a pattern without * matches any part."""
    wanted = pattern.casefold().removeprefix("./")
    wanted = wanted if any(sign in wanted for sign in "*?[") else f"*{wanted}*"
    titles = kb.titles()
    found = [path for path in titles if fnmatchcase(path.casefold(), wanted)]
    if not found:
        folders = ", ".join(filter(None, folders_of(titles))) or "none"
        return f'No note\'s name matches "{pattern}". The folders: {folders}'
    lines = [f"{path}: {titles[path]}" for path in found[:MOST]]
    return "\n".join([*lines, *([f"[{len(found) - MOST} more; narrow the pattern]"] if len(found) > MOST else [])])


TOOL = Tool(name="kb_search_files", function=kb_search_files, schema=SCHEMA, reads_only=True, resource="kb")
