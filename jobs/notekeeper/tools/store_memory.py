"""Tool: remember something about the person."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from jobs.notekeeper.memory import Memory

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
    new = memory.store(" ".join(content.split()), category.strip() or "general")
    return f"Remembered under {category}" if new else f"This was remembered already, under {category}"


TOOL = Tool(name="store_memory", function=store_memory, schema=SCHEMA, reads_only=False, resource="memory")
