from __future__ import annotations
from typing import Any, TypedDict
import sqlite3
from contextlib import closing

KEY = "id"  # the column that says which row it is


def run(path, query):
    """Ask the data, which nothing can change this way. Return (columns, rows). Raises sqlite3.Error."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        answer = database.execute(query)
        return [column[0] for column in answer.description or ()], answer.fetchall()


def plain(query):
    """A query without what makes no difference: large letters, spaces, the semicolon at its end."""
    return " ".join(query.lower().rstrip("; \n").split())


class Finding(TypedDict):
    claim: str
    query: str
    affected: int


class Rejected(Exception):
    pass


def examine(finding: Finding, taken: list[Finding], path: str) -> None:
    seen: set[str] = {plain(each["query"]) for each in taken}
    if plain(finding["query"]) in seen:
        raise Rejected("you have written down a finding with the same query before")
    columns: list[str]
    rows: list[tuple[Any, ...]]
    columns, rows = run(path, finding["query"])
    if KEY not in columns:
        raise Rejected(f"the query must return {KEY!r}; it returns {columns}")
    count: int = len(rows)
    if count == 0:
        raise Rejected("the query returns 0 rows: there is no fault")
    if count != finding["affected"]:
        raise Rejected(f"you say {finding['affected']}, the query returns {count}")


def judge(finding: Finding, taken: list[Finding], path: str) -> str:
    try:
        examine(finding, taken, path)
    except Rejected as reason:
        return str(reason)
    except sqlite3.Error as error:
        return f"SQLite says: {error}"
    return ""
