"""Tool: the places in documents and source that answer a question, by words and by meaning."""

from __future__ import annotations

from functions import ToolError, row
from functions.tool import Tool
from index.index import Index
from index.symbols import symbol_map

SHOWN = 8
LONGEST_LINE = 160  # characters of a place's line
MAP_TOKENS = 1_000
SCHEMA = {
    "name": "search_docs",
    "description": "Find places in the documents and the source. Returns place | heading | line | why it was found; "
    "read the best with read_file. An empty query returns a map of the source's classes and functions.",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "The question, or words of it"}},
        "required": ["query"],
    },
}


def search_docs(index: Index, query: str) -> str:
    """Return up to eight places, best first, a line each, then which words stand nowhere and which files are not
    searched; for an empty query the map of the source."""
    if not query.strip():
        index.refresh()
        return symbol_map(index.rows, MAP_TOKENS) or ToolError("there is no Python source here; search for words")
    hits = index.search(query, SHOWN)
    unknown, left_out = index.gaps(query)
    lines = [row(hit.place, hit.heading or "(top of the file)", hit.text[:LONGEST_LINE], hit.why) for hit in hits]
    lines += [] if hits else ["Nothing found. Try other words, or list_files to see what there is."]
    lines += [f"[Stands nowhere: {', '.join(unknown)}]"] if unknown else []
    lines += [f"[Not searched: {', '.join(left_out[:SHOWN])}]"] if left_out else []
    return "\n".join(lines)


TOOL = Tool(name="search_docs", function=search_docs, schema=SCHEMA, reads_only=True, resource="index")
