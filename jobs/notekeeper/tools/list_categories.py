"""Tool: the categories of what is remembered."""

from __future__ import annotations

from jobs.notekeeper.memory import Memory

SCHEMA = {
    "name": "list_categories",
    "description": "List the categories of what is remembered of the person.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}
READS_ONLY = True
HOLDS = "memory"


def list_categories(memory: Memory) -> str:
    """Return `category (n)` a line."""
    counts = memory.categories()
    return "\n".join(f"{name} ({count})" for name, count in counts.items()) or "Nothing is remembered yet."
