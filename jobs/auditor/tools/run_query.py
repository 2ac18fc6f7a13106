"""Tool: a question to the collection, in the engine's own language."""

from __future__ import annotations

import json
from typing import Any

from config import MAX_CHARACTERS
from functions.tool import Tool
from jobs.auditor.audit import Audit, no_room, normal, unanswered
from reach.database.database import LONGEST_CELL, SHOWN_ROWS, Answer, Failed, Refused

SCHEMA = {
    "name": "run_query",
    "description": (
        "Run one query that only reads: a SELECT (MongoDB: JSON with collection and pipeline). Rows are counted, and "
        "the first shown. To prove a finding, return the affected rows, one each, the key's columns first."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "The query"},
            "why": {"type": "string", "description": "The suspicion that it tests, in one sentence"},
            "show": {
                "type": "integer",
                "description": "Rows shown",
                "minimum": 1,
                "maximum": SHOWN_ROWS,
                "default": 100,
            },
        },
        "required": ["query", "why"],
    },
}


def run_query(audit: Audit, query: str, why: str, show: int = SHOWN_ROWS) -> str:
    """Return JSON: how many rows there are in all, and the first `show` of them, cells cut at 200 characters."""
    try:
        answer = audit.database.query(query, keep=show)
    except (Refused, Failed) as problem:
        audit.did(f"run_query {why[:70]}: not answered")
        return unanswered(problem)
    rows = [[cut(value) for value in row] for row in answer.rows]
    while len(text := as_text(answer, rows)) > MAX_CHARACTERS and rows:
        rows = rows[: len(rows) // 2]
    if not audit.fits(text):
        return no_room()
    audit.queries[normal(query)] = answer.count
    if answer.count:
        audit.suspected[normal(query)] = (why, answer.count)
    audit.did(f"run_query {why[:70]}: {answer.count:,} rows")
    return text


def as_text(answer: Answer, rows: list[list[Any]]) -> str:
    found = {"count": answer.count, "shown": len(rows), "columns": answer.columns, "rows": rows}
    return json.dumps(found, ensure_ascii=False)


def cut(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return value if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}[...{len(text) - LONGEST_CELL} more]"


TOOL = Tool(name="run_query", function=run_query, schema=SCHEMA, reads_only=True, resource="audit")
