"""SQLite through the standard library. Its wall: the authorizer as an allow-list, a read-only file, and a clock.

`mode=ro` alone is no wall: `ATTACH` still creates another database, and a PRAGMA changes the connection.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import string
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from config import ConfigError
from reach.child import Child
from reach.database import reader
from reach.database.database import ENGINE, READER, Database, Failed, Field, Refused, quoted, words

STEPS = 10_000  # of SQLite's machine between two looks at the clock
SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)  # NOCASE knows no other letters
ROW_NUMBER = ("rowid", "_rowid_", "oid")
LARGEST_VALUE = 16 * 2**20  # bytes
FUNCTIONS = words(
    """
    abs avg cast ceil ceiling coalesce count cume_dist date datetime dense_rank exp first_value floor
    glob group_concat hex iif ifnull instr julianday lag last_value lead length like ln log log10 lower
    ltrim max min mod nth_value ntile nullif percent_rank power pow rank replace round row_number rtrim
    sign sqrt strftime string_agg substr substring sum time timediff total trim typeof unicode unixepoch
    upper json_array_length json_extract json_type json_valid json_each json_tree -> ->>
    """
)


_VIRTUAL = re.compile(r"\s*create\s+virtual\s", re.I)


class Sqlite(Database):
    """A SQLite file. `made_for` is closed with it: the temporary folder of a source that was loaded into one."""

    dialect = "sqlite"
    engine = "SQLite"

    def __init__(
        self,
        path: Path,
        walls: frozenset[str],
        *,
        shown: str = "",
        identity: str = "",
        made_for: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self.source, self.identity = shown or path.name, identity or str(path.resolve())
        self._path, self._walls, self._made_for = path.resolve(), walls, made_for
        try:
            self._tables = self._read_tables()
        except (sqlite3.Error, Failed) as error:
            raise ConfigError(f"{self.source} cannot be read as a SQLite database ({error}).") from None
        self.apart = Child("reach.database.apart", "sqlite", str(self._path), ",".join(sorted(walls)))
        if not self.collections():
            raise ConfigError(f"{self.source} has no tables to look at.")

    def collections(self) -> list[str]:
        """The tables that a person chooses from: those of nested lists belong to another, a view has no key, and a
        virtual table runs code of an extension, which the authorizer refuses."""
        return [name for name in self._tables if not name.endswith("[]") and name not in self._views]

    def fields(self, collection: str) -> list[Field]:
        found = []
        for table, columns in self._tables.items():
            if table != collection and not (table.startswith(f"{collection}.") and table.endswith("[]")):
                continue
            prefix = table.removeprefix(collection).removeprefix(".")
            for name, declared, _ in columns:
                if name in ("_row", "_at"):
                    continue
                path = name if not prefix else prefix if name == "value" else f"{prefix}.{name}"
                compared = self._compared.get((table, name))
                found.append(Field(path, table, quoted(name), declared.lower(), compared))
        return found

    def key(self, table: str) -> tuple[str, ...]:
        columns = self._tables[table]
        if any(name == "_row" for name, _, _ in columns):
            return ("_row", "_at") if table.endswith("[]") else ("_row",)
        named = tuple(name for name, _, is_key in columns if is_key) or (self._row_number(table),)
        return named if all(named) else tuple(name for name, _, _ in columns)

    def walls_line(self) -> str:
        second = "sqlglot" if reader.available() else "no second wall (install sqlglot for one)"
        return f"walls: SQLite's authorizer, {second}"

    def close(self) -> None:
        super().close()
        self._made_for()

    def _read(self, query: str) -> None:
        if READER in self._walls and reader.available():
            reader.check(query, self.dialect, self._tables, FUNCTIONS)

    @contextmanager
    def _stream(self, query: str, seconds: float) -> Iterator[tuple[tuple[str, ...], Iterator[Sequence[Any]]]]:
        """Each query has a connection of its own, so that several run at once and none leaves anything behind."""
        deadline = time.monotonic() + seconds
        denied: list[str] = []
        connection = self._connect()
        try:
            for name in ("json_each", "json_tree"):  # made at its first use, which the authorizer would call a change
                with contextlib.suppress(sqlite3.OperationalError):  # a SQLite that knows no JSON
                    connection.execute(f"SELECT 1 FROM {name}('[]')").fetchall()
            if ENGINE in self._walls:
                connection.set_authorizer(self._authorizer(denied))
            connection.set_progress_handler(lambda: time.monotonic() > deadline or self.cancelled.is_set(), STEPS)
            cursor = connection.execute(query)
            if cursor.description is None:
                raise Refused(ENGINE, "SQLite", "it is no query")
            yield tuple(column[0] for column in cursor.description), cursor
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise self._explained(error, denied, seconds) from None
        finally:
            connection.close()

    def _connect(self) -> sqlite3.Connection:
        mode = "rw" if ENGINE not in self._walls else "ro&immutable=1" if is_at_rest(self._path) else "ro"
        connection = sqlite3.connect(f"file:{quote(str(self._path))}?mode={mode}", uri=True, check_same_thread=False)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection

    def _authorizer(self, denied: list[str]) -> Callable[..., int]:
        """Selecting, reading the tables of the source, and the functions listed are allowed, and nothing else."""

        def authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
            if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
                return sqlite3.SQLITE_OK
            if action == sqlite3.SQLITE_READ and (first in self._tables or first in ("json_each", "json_tree")):
                return sqlite3.SQLITE_OK
            if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FUNCTIONS:
                return sqlite3.SQLITE_OK
            what = second if action == sqlite3.SQLITE_FUNCTION else first
            denied.append(f"{NAMES.get(action, 'this')} {what or ''}".strip())
            return sqlite3.SQLITE_DENY

        return authorize

    def _explained(self, error: Exception, denied: list[str], seconds: float) -> Exception:
        if denied:
            return Refused(ENGINE, "SQLite's authorizer", f"{denied[0]} is not allowed")
        if "one statement at a time" in str(error):
            return Refused(ENGINE, "SQLite", "there is more than one statement")
        if "interrupted" in str(error):
            return Failed(f"the query was stopped after {seconds:g} seconds; narrow it, or count fewer combinations")
        return Failed(f"SQLite says: {error}")

    def _sample_of(self, table: str, size: int, most: int) -> str:
        number = self._row_number(table)
        if table in self._without_rowid or not number:
            return f"(SELECT * FROM {quoted(table)} LIMIT {most})"
        return f"(SELECT * FROM {quoted(table)} WHERE {number} % {size // most + 1} = 0)"

    def _row_number(self, table: str) -> str:
        """What SQLite calls the number of a row of a table: one of three names that no column has; "" where all are."""
        taken = {name.lower() for name, _, _ in self._tables[table]}
        return next((name for name in ROW_NUMBER if name not in taken), "")

    def _read_tables(self) -> dict[str, list[tuple[str, str, bool]]]:
        connection = self._connect()
        try:
            found = connection.execute(
                "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'"
            ).fetchall()
            self._views = {name for name, kind, sql in found if kind == "view" or _VIRTUAL.match(sql or "")}
            self._without_rowid = {name for name, _, sql in found if re.search(r"without\s+rowid", sql or "", re.I)}
            tables = {
                name: [  # table_info is silent about generated columns
                    (row[1], row[2], bool(row[5])) for row in connection.execute(f"PRAGMA table_xinfo({quoted(name)})")
                ]
                for name, _, _ in found
            }
            self._compared = {
                (table, name): rule
                for table in tables.keys() - self._views
                for name, _, _ in tables[table]
                if (rule := rule_of(connection, table, name))
            }
            return tables
        finally:
            connection.close()


def rule_of(connection: sqlite3.Connection, table: str, column: str) -> Callable[[Any], Any] | None:
    """What a column's collation leaves of a value when it is compared; None where that is all of it. No PRAGMA tells a
    collation, but the first part of a UNION hands its own on."""
    text = f"(SELECT {quoted(column)} AS v FROM {quoted(table)} WHERE 0 UNION ALL SELECT 'a')"
    with contextlib.suppress(sqlite3.Error):  # a collation of another program's own
        told = connection.execute(f"SELECT v = 'A', v = 'a ' FROM {text}").fetchone()
        return {(1, 0): without_capitals, (0, 1): without_end}.get(told)
    return None


def without_capitals(value: Any) -> Any:
    return value.translate(SMALL) if isinstance(value, str) else value


def without_end(value: Any) -> Any:
    return value.rstrip(" ") if isinstance(value, str) else value


def is_at_rest(path: Path) -> bool:
    """Whether a database that is written ahead (WAL) is open nowhere: to read one SQLite makes two files beside it, and
    leaves them there, unless it is told that nobody writes."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        return file.read(20)[18:] == b"\2\2" and not Path(f"{path}-wal").exists()
    return False


NAMES = {
    sqlite3.SQLITE_ATTACH: "ATTACH",
    sqlite3.SQLITE_DETACH: "DETACH",
    sqlite3.SQLITE_PRAGMA: "PRAGMA",
    sqlite3.SQLITE_INSERT: "writing into",
    sqlite3.SQLITE_UPDATE: "changing",
    sqlite3.SQLITE_DELETE: "deleting from",
    sqlite3.SQLITE_READ: "reading",
    sqlite3.SQLITE_FUNCTION: "the function",
    sqlite3.SQLITE_TRANSACTION: "a transaction:",
}
