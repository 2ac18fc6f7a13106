"""Tool: the places in documents and source that answer a question, by words and by meaning."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from functions import ToolError
from functions.pages import row
from functions.refused import named
from functions.tool import Tool
from index.documents import is_aside, is_written
from index.index import Hit, Index
from index.symbols import symbol_map

DOCUMENTS, SOURCE = 5, 4  # places that are shown
LEFT_OUT, OTHERS = 8, 5  # files that are named: such as belong, and of other kinds
_OF_CHANGES = re.compile(
    r"\b(versions?|releases?|chang(es?|ed)|upgrad\w+|migrat\w+|licen[cs]e|tests?)\b", re.IGNORECASE
)
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
    """Return up to five places in documents, best first, and up to four in source, a line each, then which words stand
    nowhere and which files are not searched; for an empty query the map of the source."""
    if not query.strip():
        index.refresh()
        return symbol_map(index.rows, MAP_TOKENS) or ToolError("there is no Python source here; search for words")
    hits = places(index, query)
    unknown, left_out, others = index.gaps(query)
    lines = [row(hit.place, hit.heading or "(top of the file)", hit.text[:LONGEST_LINE], hit.why) for hit in hits]
    lines += [] if hits else ["Nothing found. Try other words, or list_files to see what there is."]
    lines += [f"[Stands nowhere: {', '.join(unknown)}]"] if unknown else []
    missed = not_searched(left_out, others if unknown or not hits else [])  # what is missing may stand there
    return "\n".join([*lines, f"[Not searched: {missed}]"] if missed else lines)


def not_searched(left_out: list[str], others: list[str]) -> str:
    """The files that no search can find: some by their names and all counted, of other kinds one of each kind first."""
    kinds = {PurePosixPath(path).suffix.lower(): path for path in reversed(others)}
    ordered = list(dict.fromkeys((*sorted(kinds.values()), *others)))
    of_other_kinds = f"{len(others):,} of other kinds: {named(ordered, OTHERS)}" if others else ""
    return "; ".join(filter(None, (named(left_out, LEFT_OUT), of_other_kinds)))


def places(index: Index, query: str) -> list[Hit]:
    """Documents and source, ranked apart; what stands in change logs and tests last, unless the query is about such."""
    documents = index.search(query, 3 * DOCUMENTS, among=is_written)
    source = index.search(query, 3 * SOURCE, among=lambda path: not is_written(path))
    if not _OF_CHANGES.search(query):
        documents.sort(key=lambda hit: is_aside(hit.path))
        source.sort(key=lambda hit: is_aside(hit.path))
    return [*documents[:DOCUMENTS], *source[:SOURCE]]


TOOL = Tool(name="search_docs", function=search_docs, schema=SCHEMA, reads_only=True, resource="index")
