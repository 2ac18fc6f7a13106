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
    """Return what was superseded, in each category that held it."""
    new = " ".join(new.split())
    if not new:
        return ToolError("new is empty; give the sentence to remember")
    found = memory.meant(old)
    if len({each.content for each in found}) != 1:
        return which(old, found)
    content, categories = found[0].content, " and ".join(each.category for each in found)
    if content == new:
        return f"This was remembered already, under {categories}"
    try:
        for each in found:
            memory.update(each, new)
    except TooLong as error:
        return ToolError(error)
    return f'Remembered under {categories}. It supersedes "{content}", which stays as what was before'


def which(words: str, found: list[Memorized]) -> ToolError:
    """Why it is not clear which memory is meant."""
    if not found:
        return ToolError(f'nothing is remembered that says "{words}"; retrieve_memory tells what is')
    contents = list(dict.fromkeys(each.content for each in found))
    return ToolError(f"this may be {len(contents)} memories; give one whole: {'; '.join(contents[:9])}")


TOOL = Tool(name="update_memory", function=update_memory, schema=SCHEMA, reads_only=False, resource="memory")
