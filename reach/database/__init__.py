"""A database as a value that is held: opened once, read only, behind two walls, closed with the run.

One file an engine. The first wall is the engine's own means; the second, `reader.py`, reads the query before the engine
does. What either refuses is a sentence that says which of the two it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from config import ConfigError, need
from reach.database.database import ALL_WALLS, Database

TEXT_FILES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson")
SQLITE_FILES = (".sqlite", ".sqlite3", ".db")
DUCKDB_FILES = (".duckdb", ".parquet")


def open_database(
    source: str, tell: Callable[[str], None] = lambda line: None, walls: Iterable[str] = ALL_WALLS
) -> Database:
    """Open what `--data` names: a file, a folder of text files, or an address. Raises ConfigError with the next step.

    `tell` hears what the person should know of how the source was read. `walls` is for the tests of each wall alone.
    """
    walls = frozenset(walls)
    scheme = source.split("://", 1)[0].lower() if "://" in source else ""
    if scheme in ("postgresql", "postgres"):
        need("psycopg", extra="postgres")
        need("sqlglot", extra="postgres")
        from reach.database.postgres import Postgres

        return Postgres(source, walls)
    if scheme in ("mongodb", "mongodb+srv"):
        need("pymongo", extra="mongo")
        from reach.database.mongo import Mongo

        return Mongo(source, walls)
    if scheme:
        raise ConfigError(f"--data cannot reach {scheme}://. It takes a file, a folder, postgresql:// or mongodb://.")
    try:
        path = Path(source).expanduser()
        there, usable = path.exists(), path.is_dir() or path.is_file()
    except (OSError, RuntimeError) as error:  # a name that is too long; a home that nobody has
        raise ConfigError(f"{source[:200]} is no file that can be read ({error}).") from None
    if there and not usable:
        raise ConfigError(f"{path} is neither a file nor a folder, so it is not read.")
    return _open_file(path, tell, walls)


def _open_file(path: Path, tell: Callable[[str], None], walls: frozenset[str]) -> Database:
    if not path.exists():
        raise ConfigError(f"there is no file {path}. Name one with --data: {', '.join(_kinds())}.")
    suffix = path.suffix.lower()
    if path.is_dir() or suffix in TEXT_FILES:
        from reach.database.text_files import open_text_files

        return open_text_files(path, tell, walls)
    if suffix in DUCKDB_FILES:
        need("duckdb", extra="data")
        need("sqlglot", extra="data")
        from reach.database.duckdb_file import DuckDb

        return DuckDb(path, walls)
    if suffix in SQLITE_FILES or begins_as_sqlite(path):
        from reach.database.sqlite import Sqlite

        return Sqlite(path, walls)
    raise ConfigError(f"{path.name} is no kind of data that --data reads: {', '.join(_kinds())}, or a folder of them.")


def begins_as_sqlite(path: Path) -> bool:
    """Whether a file of any name is a SQLite database. Raises ConfigError where it cannot be read."""
    begin = b"SQLite format 3"
    try:
        with path.open("rb") as file:
            return file.read(len(begin)) == begin
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}).") from None


def _kinds() -> tuple[str, ...]:
    return (*TEXT_FILES, *SQLITE_FILES, *DUCKDB_FILES)
