"""Tool: remember something in the place of something older."""

from __future__ import annotations

from functions import ToolError
from functions.tool import Tool
from jobs.notekeeper.memory import Memorized, Memory, TooLong

SCHEMA = {
    "name": "update_memory",
    "description": "Remember something newer in the place of what is remembered; the older stays as its history.",
    "parameters": {
        "type": "object",
        "properties": {
            "old": {"type": "string", "description": "What is remembered, or words that only it holds"},
            "new": {"type": "string", "description": "One sentence"},
        },
        "required": ["old", "new"],
    },
}


def update_memory(memory: Memory, old: str, new: str) -> str:
    """Return what was superseded."""
    new = " ".join(new.split())
    if not new:
        return ToolError("new is empty; give the sentence to remember")
    found = memory.the_one(old)
    if not isinstance(found, Memorized):
        return which(old, found)
    if found.content == new:
        return f"This was remembered already, under {found.category}"
    try:
        memory.update(found, new)
    except TooLong as error:
        return ToolError(error)
    return f'Remembered under {found.category}. It supersedes "{found.content}", which stays as what was before'


def which(words: str, found: list[Memorized]) -> ToolError:
    """Why it is not clear which memory is meant."""
    if not found:
        return ToolError(f'nothing is remembered that says "{words}"; retrieve_memory tells what is')
    return ToolError(
        f"this may be {len(found)} memories; give one whole: {'; '.join(each.content for each in found[:9])}"
    )


TOOL = Tool(name="update_memory", function=update_memory, schema=SCHEMA, reads_only=False, resource="memory")
