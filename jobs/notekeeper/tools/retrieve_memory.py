"""Tool: what is remembered of the person."""

from __future__ import annotations

import datetime

from functions.tool import Tool
from jobs.notekeeper.memory import Memory

MOST = 20
SCHEMA = {
    "name": "retrieve_memory",
    "description": "Find what is remembered of the person.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "default": "", "description": "Words; empty for all"},
            "category": {"type": "string", "default": "", "description": "Only of this one"},
        },
        "required": [],
    },
}


def retrieve_memory(memory: Memory, query: str = "", category: str = "") -> str:
    """Return `category (date): content` a line, at most 20, with what it superseded."""
    lines = []
    for each in memory.retrieve(query, category, MOST):
        day = datetime.datetime.fromtimestamp(each.at).date().isoformat()
        before = f" (before: {'; '.join(each.before)})" if each.before else ""
        lines.append(f"{each.category} ({day}): {each.content}{before}")
    return "\n".join(lines) or "Nothing is remembered about this."


TOOL = Tool(name="retrieve_memory", function=retrieve_memory, schema=SCHEMA, reads_only=True, resource="memory")
