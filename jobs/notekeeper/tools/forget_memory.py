"""Tool: forget something about the person."""

from __future__ import annotations

from functions.tool import Tool
from jobs.notekeeper.memory import Memory
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
    """Return what was forgotten, in each category that held it, so that the person can say it again."""
    found = memory.meant(content)
    if len({each.content for each in found}) != 1:
        return which(content, found)
    for each in found:
        memory.forget(each)
    before = "; ".join(dict.fromkeys(older for each in found for older in each.before))
    return f'Forgot "{found[0].content}"' + (f", and what was before: {before}" if before else "")


TOOL = Tool(name="forget_memory", function=forget_memory, schema=SCHEMA, reads_only=False, resource="memory")
