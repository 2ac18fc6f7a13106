"""Tool: forget something about the person."""

from __future__ import annotations

from functions.tool import Tool
from jobs.notekeeper.memory import Memorized, Memory
from jobs.notekeeper.tools.update_memory import which

SCHEMA = {
    "name": "forget_memory",
    "description": "Forget one thing of the person for good, with all that it superseded.",
    "parameters": {
        "type": "object",
        "properties": {"content": {"type": "string", "description": "What is remembered, or words that only it holds"}},
        "required": ["content"],
    },
}


def forget_memory(memory: Memory, content: str) -> str:
    """Return what was forgotten, so that the person can say it again."""
    found = memory.the_one(content)
    if not isinstance(found, Memorized):
        return which(content, found)
    memory.forget(found)
    older = f", and what was before: {'; '.join(found.before)}" if found.before else ""
    return f'Forgot "{found.content}"{older}'


TOOL = Tool(name="forget_memory", function=forget_memory, schema=SCHEMA, reads_only=False, resource="memory")
