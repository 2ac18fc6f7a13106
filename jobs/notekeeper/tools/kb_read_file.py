"""Tool: read one or several notes."""

from __future__ import annotations

from config import MAX_CHARACTERS
from functions import ToolError
from functions.missing import refused
from functions.tool import Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase
from sandbox.files.root import Refusal

MOST = 20
SCHEMA = {
    "name": "kb_read_file",
    "description": "Read notes by their paths.",
    "parameters": {
        "type": "object",
        "properties": {"paths": {"type": "array", "items": {"type": "string"}, "description": "Relative paths"}},
        "required": ["paths"],
    },
}


def kb_read_file(kb: KnowledgeBase, paths: list[str]) -> str:
    """Return the notes one after the other, each under a line `=== path`. What does not fit is named."""
    if not paths or len(paths) > MOST:
        return ToolError(f"paths holds {len(paths)} paths, but may hold 1 to {MOST}")
    room, parts, left = MAX_CHARACTERS * 2, [], []
    for path in paths:
        try:
            text = kb.root.read_text(path)
        except Refusal as refusal:
            parts.append(f"=== {path}\n{refused(refusal, kb.root, path, 'file')}")
            continue
        if len(text) > room and parts:
            left.append(path)
            continue
        cut = "" if len(text) <= room else f"\n[...cut at {room} characters; read on with get_file_content]"
        parts.append(f"=== {path}\n{text[:room]}{cut}")
        room -= len(text[:room])
    if len(paths) == 1 and parts[0].startswith(f"=== {paths[0]}\nError: "):
        return ToolError(parts[0].partition("Error: ")[2])
    return "\n".join([*parts, *([f"[Not shown for want of room: {', '.join(left)}]"] if left else [])])


def sources(arguments: dict[str, object], result: str) -> list[tuple[str, list[tuple[int, int]]]]:
    """The notes that were read."""
    return [(line.removeprefix("=== "), []) for line in result.split("\n") if line.startswith("=== ")]


TOOL = Tool(name="kb_read_file", function=kb_read_file, schema=SCHEMA, reads_only=True, resource="kb", sources=sources)
