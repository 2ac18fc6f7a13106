"""DuckDB: its own files, and Parquet. Its wall: a read-only database, no access to anything outside it, one SELECT.

Parquet is first copied into a temporary database: with a path allowed, `COPY ... (USE_TMP_FILE false)` overwrites the
source even where external access is off. So no path is ever allowed, and the database that queries see is read only.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from config import ConfigError
from reach.child import Child
from reach.database import reader
from reach.database.database import ENGINE, READER, Database, Failed, Field, Refused, quoted

MEMORY = "1GB"
BATCH = 2_000  # rows fetched at a time
LOCKED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "memory_limit": MEMORY,
    "lock_configuration": "true",
}


class DuckDb(Database):
    """A DuckDB file, or a Parquet file as the table of its name."""

    dialect = "duckdb"
    engine = "DuckDB"

    def __init__(self, path: Path, walls: frozenset[str]) -> None:
        import duckdb

        super().__init__()
        self.source, self.identity, self._walls = path.name, str(path.resolve()), walls
        self._folder = tempfile.TemporaryDirectory(prefix="glassbox-data-") if path.suffix == ".parquet" else None
        try:
            place = copied(path, Path(self._folder.name)) if self._folder else path
            locked = ENGINE in walls
            self._connection = duckdb.connect(str(place), read_only=locked, config=LOCKED if locked else {})
            self._tables = self._read_tables()
            if locked:  # another process may read it too; else this one holds it alone
                self.apart = Child("reach.database.apart", "duckdb", str(place.resolve()), ",".join(sorted(walls)))
        except duckdb.Error as error:
            self._clean()
            raise ConfigError(f"{path.name} cannot be read by DuckDB ({first_line(error)}).") from None

    def collections(self) -> list[str]:
        return list(self._tables)

    def fields(self, collection: str) -> list[Field]:
        """Columns, and the parts of a STRUCT as paths below them."""
        found: list[Field] = []
        for name, kind in self._tables[collection]:
            found += struct_fields(collection, name, quoted(name), kind)
        return found

    def key(self, table: str) -> tuple[str, ...]:
        return ("rowid",)

    def walls_line(self) -> str:
        return "walls: DuckDB (read only, no external access, one SELECT), sqlglot"

    def close(self) -> None:
        super().close()
        self._connection.close()
        self._clean()

    def _clean(self) -> None:
        if self._folder:
            self._folder.cleanup()

    def _read(self, query: str) -> None:
        if READER in self._walls:
            reader.check(query, self.dialect, self._tables)

    @contextmanager
    def _stream(self, query: str, seconds: float) -> Iterator[tuple[tuple[str, ...], Iterator[Sequence[Any]]]]:
        import duckdb

        connection = self._connection.cursor()
        timer = threading.Timer(seconds, connection.interrupt)
        try:
            if ENGINE in self._walls:
                self._one_select(connection, query)
            timer.start()
            connection.execute(query)
            columns = tuple(column[0] for column in connection.description or ())
            yield columns, (row for batch in iter(lambda: connection.fetchmany(BATCH), []) for row in batch)
        except duckdb.InterruptException:
            raise Failed(f"the query was stopped after {seconds:g} seconds; narrow it") from None
        except duckdb.PermissionException as error:
            raise Refused(ENGINE, "DuckDB", first_line(error)) from None
        except duckdb.Error as error:
            if "read-only mode" in str(error):
                raise Refused(ENGINE, "DuckDB", "the database is open for reading only") from None
            raise Failed(f"DuckDB says: {first_line(error)}") from None
        finally:
            timer.cancel()
            connection.close()

    def _one_select(self, connection: Any, query: str) -> None:
        import duckdb

        statements = connection.extract_statements(query)
        if len(statements) != 1:
            raise Refused(ENGINE, "DuckDB", f"there are {len(statements)} statements")
        if statements[0].type != duckdb.StatementType.SELECT:
            raise Refused(ENGINE, "DuckDB", f"it is {statements[0].type.name} and no SELECT")

    def _sample_of(self, table: str, size: int, most: int) -> str:
        return f"(SELECT * FROM {quoted(table)} WHERE rowid % {size // most + 1} = 0)"

    def _read_tables(self) -> dict[str, list[tuple[str, str]]]:
        tables: dict[str, list[tuple[str, str]]] = {}
        rows = self._connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE schema_name = 'main' "
            "AND table_name IN (SELECT table_name FROM duckdb_tables()) ORDER BY table_name, column_index"
        ).fetchall()
        for table, column, kind in rows:
            tables.setdefault(table, []).append((column, kind))
        if not tables:
            raise ConfigError(f"{self.source} has no tables to look at.")
        return tables


def copied(path: Path, folder: Path) -> Path:
    """Copy a Parquet file into a database of its own; return that."""
    import duckdb

    place = folder / "data.duckdb"
    with duckdb.connect(str(place), config={"memory_limit": MEMORY}) as connection:
        connection.execute("SET preserve_insertion_order = true")
        connection.read_parquet(str(path)).create(path.stem)
    return place


def struct_fields(table: str, path: str, expression: str, kind: str) -> list[Field]:
    if not kind.startswith("STRUCT(") or not kind.endswith(")"):
        return [Field(path, table, expression, kind.lower())]
    found: list[Field] = []
    for part in split(kind[len("STRUCT(") : -1]):
        name, _, inner = part.strip().partition(" ")
        name = name.strip('"')
        found += struct_fields(table, f"{path}.{name}", f"{expression}.{quoted(name)}", inner)
    return found


def split(parts: str) -> list[str]:
    """Split at the commas that stand in no bracket."""
    found, depth = [""], 0
    for character in parts:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return found


def first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0][:200]
