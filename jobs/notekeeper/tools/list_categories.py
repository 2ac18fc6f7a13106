"""Tool: the categories of what is remembered."""

from __future__ import annotations

from functions.tool import Tool
from jobs.notekeeper.memory import Memory

SCHEMA = {
    "name": "list_categories",
    "description": "List the categories of what is remembered of the person.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}


def list_categories(memory: Memory) -> str:
    """Return `category (n)` a line."""
    counts = memory.categories()
    return "\n".join(f"{name} ({count})" for name, count in counts.items()) or "Nothing is remembered yet."


TOOL = Tool(name="list_categories", function=list_categories, schema=SCHEMA, reads_only=True, resource="memory")
