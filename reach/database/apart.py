"""Queries that a model wrote, in a process that can be killed: the engine opened there once more, read only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from reach.database.database import Database, Failed, Refused


def serve(engine: str, path: str, walls: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """In the child: what answers a query of the database at `path`."""
    database = _opened(engine, Path(path), frozenset(filter(None, walls.split(","))))
    database.apart = None

    def answer(question: dict[str, Any]) -> dict[str, Any]:
        try:
            found = database.query(question["query"], question["keep"], question["seconds"])
        except Refused as refused:
            return {"refused": refused.parts}
        except Failed as failed:
            return {"failed": str(failed)}
        return {"columns": found.columns, "rows": found.rows, "count": found.count}

    return answer


def _opened(engine: str, path: Path, walls: frozenset[str]) -> Database:
    if engine == "duckdb":
        from reach.database.duckdb_file import DuckDb

        return DuckDb(path, walls)
    from reach.database.sqlite import Sqlite

    return Sqlite(path, walls)
