"""One connection a request; rows are dictionaries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends

from app.settings import load_settings


def connect() -> Iterator[sqlite3.Connection]:
    """Open the database for one request, commit when it went well, close it always."""
    connection = sqlite3.connect(load_settings().database_path, check_same_thread=False)
    connection.row_factory = as_dict
    connection.execute("PRAGMA foreign_keys = ON")
    try:
        yield connection
        connection.commit()
    finally:
        connection.close()


def as_dict(cursor: sqlite3.Cursor, row: tuple) -> dict:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}


Database = Annotated[sqlite3.Connection, Depends(connect)]
