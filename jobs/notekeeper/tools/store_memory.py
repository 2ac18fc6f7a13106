"""Tool: remember something about the person."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from jobs.notekeeper.corrections import contradicted
from jobs.notekeeper.memory import MOST, Memory, TooLong

SCHEMA = {
    "name": "store_memory",
    "description": "Remember a fact or a wish of the person for later conversations.",
    "parameters": {
        "type": "object",
        "properties": {
            "content": {"type": "string", "description": "One sentence"},
            "category": {"type": "string", "default": "general", "description": "One word"},
        },
        "required": ["content"],
    },
}


def store_memory(memory: Memory, content: str, category: str = "general") -> str:
    """Return what is remembered, and whether it was known."""
    if not content.strip():
        return ToolError("content is empty; give the sentence to remember")
    content = " ".join(content.split())
    before = [known.content for known in memory.retrieve("", "", MOST)]
    try:
        new = memory.store(content, category.strip() or "general")
    except TooLong as error:
        return ToolError(error)
    if not new:
        return f"This was remembered already, under {category}"
    denied = contradicted(content, before)
    told = (
        f'. It contradicts "{denied}", which stays remembered as the older of the two; update_memory supersedes it'
        if denied
        else ""
    )
    return f"Remembered under {category}{told}"


TOOL = Tool(name="store_memory", function=store_memory, schema=SCHEMA, reads_only=False, resource="memory")
