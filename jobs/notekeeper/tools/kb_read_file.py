"""Tool: read one or several notes."""

from __future__ import annotations

from config import MAX_CHARACTERS
from functions import Result, ToolError
from functions.refused import refused
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
    read: list[str] = []
    for path in paths:
        try:
            text = kb.root.read_text(path)
        except Refusal as refusal:
            problem = refused(refusal, kb.root, path, "file")
            if len(paths) == 1:
                return problem
            parts.append(f"=== {path}\n{problem}")
            continue
        if len(text) > room and parts:
            left.append(path)
            continue
        cut = "" if len(text) <= room else f"\n[...cut at {room} characters; read on with get_file_content]"
        parts.append(f"=== {path}\n{text[:room]}{cut}")
        room -= len(text[:room])
        read.append(path)
    said = [*parts, *([f"[Not shown for want of room: {', '.join(left)}]"] if left else [])]
    return Result("\n".join(said), [(path, []) for path in read])


TOOL = Tool(name="kb_read_file", function=kb_read_file, schema=SCHEMA, reads_only=True, resource="kb")
