"""Tool: find a text in the notes, word for word. Third of three stages, with kb_read_file."""

from __future__ import annotations

from functions import Result, ToolError
from functions.tool import Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase

MOST = 60
LONGEST_LINE = 200
SCHEMA = {
    "name": "kb_search_content",
    "description": "Find a text in all notes, case ignored. Returns path:line: text.",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "The text, or words that stand in one line"}},
        "required": ["query"],
    },
}


def kb_search_content(kb: KnowledgeBase, query: str) -> str:
    """Return the lines that hold the query, else those that hold all its words; at most 60."""
    wanted = query.casefold().strip()
    if not wanted:
        return ToolError("query is empty; give a text that stands in a note")
    whole: list[tuple[str, int, str]] = []
    words: list[tuple[str, int, str]] = []
    for path, text in kb.notes():
        for number, line in enumerate(text.split("\n"), 1):
            plain = line.casefold()
            if wanted in plain:
                whole.append((path, number, line.strip()[:LONGEST_LINE]))
            elif all(word in plain for word in wanted.split()):
                words.append((path, number, line.strip()[:LONGEST_LINE]))
    found = whole or words
    if not found:
        return f'No note holds "{query}". Try kb_vector_search, which finds other words for the same'
    lines = [f"{path}:{number}: {line}" for path, number, line in found[:MOST]]
    more = [f"[{len(found) - MOST} more]"] if len(found) > MOST else []
    return Result("\n".join([*lines, *more]), [(path, [(number, number)]) for path, number, _ in found[:MOST]])


TOOL = Tool(name="kb_search_content", function=kb_search_content, schema=SCHEMA, reads_only=True, resource="kb")
