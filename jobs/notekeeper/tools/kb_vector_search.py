"""Tool: find notes by what they are about. Second of three stages."""

from __future__ import annotations

from functions import Result, ToolError
from functions.pages import row
from functions.tool import Tool
from index import meaning
from jobs.notekeeper.folders import MODEL
from jobs.notekeeper.knowledge_base import KnowledgeBase

SCHEMA = {
    "name": "kb_vector_search",
    "description": "Find the notes that are about something, best first, by meaning and by words.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "A question, or a text that similar notes are wanted for"},
            "top_k": {"type": "integer", "minimum": 1, "maximum": 50, "default": 5, "description": "How many"},
        },
        "required": ["query"],
    },
}
FOLDERS = 8  # told at most
BY_WORDS = "[By words alone: search by meaning is not installed. The person adds it with: uv sync --extra notekeeper]"


def kb_vector_search(kb: KnowledgeBase, query: str, top_k: int = 5) -> str:
    """Return `path | title | score | why | text` a line, then the folders that are nearest in meaning."""
    if not query.strip():
        return ToolError("query is empty; say what the notes should be about")
    found = kb.search(query, top_k)
    near = "; ".join(f"{folder} {likeness:.2f}" for folder, likeness in kb.folders_near(query)[:FOLDERS])
    note = [f"[Folders by likeness: {near}]"] if near else [] if meaning.available(MODEL) else [BY_WORDS]
    if not found:
        return "\n".join(["No note is about this.", *note])
    lines = [row(each.hit.place, each.title, f"{each.score:.3f}", each.why, each.hit.text) for each in found]
    return Result("\n".join([*lines, *note]), [(each.hit.path, []) for each in found])


TOOL = Tool(name="kb_vector_search", function=kb_vector_search, schema=SCHEMA, reads_only=True, resource="kb")
