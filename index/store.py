"""The file that an index is kept in: one SQLite database a collection. One that is damaged, or of another version, is
built again: it holds nothing that the documents do not.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path

from index import meaning, words
from index.sections import Section

VERSION = 7  # raise it when what a section is, or a table, changes
SHORT = 40  # characters: a longer text that stands in several places is found once
TABLES = f"""
CREATE TABLE IF NOT EXISTS files(path TEXT PRIMARY KEY, size INTEGER, changed INTEGER, digest BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sections(id INTEGER PRIMARY KEY, path TEXT, heading TEXT, place TEXT, anchor TEXT,
                                    line INTEGER, end INTEGER, text TEXT, same INTEGER);
CREATE INDEX IF NOT EXISTS sections_path ON sections(path);
CREATE TABLE IF NOT EXISTS mentions(name TEXT, path TEXT, PRIMARY KEY (name, path)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mentions_path ON mentions(path);
{words.CREATE};
{meaning.CREATE};
PRAGMA user_version = {VERSION};
"""
STATE = (
    "SELECT user_version, (SELECT count(*) FROM sqlite_schema), application_id"
    " FROM pragma_user_version, pragma_application_id"
)  # of one moment
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT}

_UNWRITABLE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


def path_of(folder: Path, collection: Path) -> Path:
    """Where the index of a collection (a folder of documents) is kept."""
    return folder / f"index-{hashlib.sha256(str(collection).encode()).hexdigest()[:16]}.sqlite"


def open_store(path: Path, model: str = meaning.ENGLISH) -> tuple[sqlite3.Connection, str]:
    """Return the database and why it was built again, "" when it was not: one whose vectors are of another model is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _opened(path, model), ""
    except sqlite3.DatabaseError as error:
        if not damaged(error):
            raise
        return started_over(path, model), f"The search index was damaged ({error}) and is built again."
    except _OtherVersion as other:
        return started_over(path, model), f"The search index was of another {other} and is built again."


def started_over(path: Path, model: str) -> sqlite3.Connection:
    """Return an empty database in place of what is there."""
    for beside in ("", "-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{beside}").unlink()
    return _opened(path, model)


def in_memory(model: str) -> sqlite3.Connection:
    return _opened(Path(":memory:"), model)


def damaged(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is at fault, and not a lock, a full disk or a missing permission."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _DAMAGED


def insert(database: sqlite3.Connection, path: str, section: Section) -> int:
    """Keep a section and its words; return its number."""
    row = (path, section.heading, section.place, section.anchor, section.line, section.end, section.text)
    number = database.execute(
        "INSERT INTO sections(path, heading, place, anchor, line, end, text, same) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, zlib.crc32(section.text.encode(errors="replace")) if len(section.text) > SHORT else None),
    ).lastrowid
    above = " ".join((path, *section.above))
    words.add(database, number, section.heading, above, section.text)
    return number


def forget(database: sqlite3.Connection, path: str) -> None:
    """Remove a file and all that was kept of it."""
    for table, key in (("words", "rowid"), ("vectors", "section")):
        database.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT id FROM sections WHERE path = ?)", (path,))
    for table in ("sections", "mentions", "files"):
        database.execute(f"DELETE FROM {table} WHERE path = ?", (path,))


def unwritable(error: sqlite3.DatabaseError) -> bool:
    """Whether the disk is at fault: full, broken or read-only."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _UNWRITABLE


def number_of(model: str) -> int:
    """How an index says of which model its vectors are: a number of 31 bits, as SQLite keeps one."""
    return zlib.crc32(model.encode()) & 0x7FFFFFFF


class _OtherVersion(Exception):
    pass


def _opened(path: Path, model: str) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    try:
        version, tables, vectors = database.execute(STATE).fetchone()
        if version == 0 and tables == 0:  # another that opens it now may have made the tables by the next line
            database.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {number_of(model)}; COMMIT;")
        elif version != VERSION:
            raise _OtherVersion("version")
        elif vectors != number_of(model):
            raise _OtherVersion("model of meaning")
        database.execute("PRAGMA synchronous = NORMAL")
        for table in ("files", "sections", "mentions", "words", "vectors"):
            database.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    except BaseException:
        database.close()
        raise
    return database
