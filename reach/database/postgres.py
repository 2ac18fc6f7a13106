"""PostgreSQL through psycopg. Its wall: a role that is no superuser, a transaction that only reads, one statement by
the extended protocol, a time limit of the server's own, and the server's plan, asked before the query runs.

`READ ONLY` alone still runs `pg_read_file`, `lo_import` and `set_config`. All three are what Postgres calls volatile,
so the plan of a query (EXPLAIN, which runs nothing) may name no volatile function.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from config import ConfigError
from reach.database import reader
from reach.database.database import ENGINE, READER, Database, Failed, Field, Refused, quoted

CALLED = re.compile(r'([A-Za-z_][\w$]*|"[^"]+")\s*\(')
CONNECT_SECONDS = 10
MAKE_A_ROLE = (
    "CREATE ROLE auditor LOGIN PASSWORD '...'; GRANT pg_read_all_data TO auditor; then name that role in the address"
)
TABLES = """
SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), coalesce(a.attnum = ANY (i.indkey), false)
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
AND n.nspname NOT LIKE 'pg\\_%' AND has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname, c.relname, a.attnum"""


class Postgres(Database):
    """The tables of one PostgreSQL database that the role of the address may read."""

    dialect = "postgres"
    engine = "PostgreSQL"

    def __init__(self, address: str, walls: frozenset[str]) -> None:
        super().__init__()
        self._address, self._walls = address, walls
        parts = urlsplit(address)
        self.source = f"{parts.hostname or 'local'}{parts.path}"
        self.identity = f"postgresql://{parts.hostname or 'local'}:{parts.port or 5432}{parts.path}"
        self._password = parts.password or ""
        if ENGINE in walls:
            self._refuse_superuser()
        self._tables = self._read_tables()
        if not self._tables:
            raise ConfigError(f"{self.source} has no tables that this role may read.")

    def collections(self) -> list[str]:
        return list(self._tables)

    def fields(self, collection: str) -> list[Field]:
        """Columns; of a kind that Postgres cannot compare (json, xml, ...) as text."""
        return [
            Field(name, collection, quoted(name) if comparable(kind) else f"CAST({quoted(name)} AS TEXT)", kind)
            for name, kind, _ in self._tables[collection]
        ]

    def key(self, table: str) -> tuple[str, ...]:
        return tuple(name for name, _, is_key in self._tables[table] if is_key) or ("ctid",)

    def name(self, table: str) -> str:
        return ".".join(map(quoted, table.split(".", 1)))

    def walls_line(self) -> str:
        return "walls: PostgreSQL (no superuser, READ ONLY, no volatile function in the plan), sqlglot"

    def _read(self, query: str) -> None:
        if READER in self._walls:
            public = {f"public.{name}" for name in self._tables if "." not in name}
            reader.check(query, self.dialect, {*self._tables, *public})

    @contextmanager
    def _stream(self, query: str, seconds: float) -> Iterator[tuple[tuple[str, ...], Iterator[Sequence[Any]]]]:
        """A connection and a transaction for each query: whatever it set is gone when it is rolled back."""
        import psycopg

        with self._connect() as connection:
            try:
                if ENGINE in self._walls:
                    connection.read_only = True
                with connection.cursor() as cursor:
                    cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(int(seconds * 1000))])
                    if ENGINE in self._walls:
                        look_at_plan(cursor, query)
                    rows = cursor.stream(query)
                    first = next(rows, None)
                    columns = tuple(column.name for column in cursor.description or ())
                    yield columns, iter(()) if first is None else after(first, rows)
            except psycopg.errors.QueryCanceled:
                raise Failed(f"the query was stopped after {seconds:g} seconds; narrow it") from None
            except (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.InsufficientPrivilege) as error:
                raise Refused(ENGINE, "PostgreSQL", self._said(error)) from None
            except psycopg.Error as error:
                if "multiple commands" in str(error):
                    raise Refused(ENGINE, "PostgreSQL", "there is more than one statement") from None
                raise Failed(f"PostgreSQL says: {self._said(error)}") from None
            finally:
                connection.rollback()

    def _connect(self) -> Any:
        import psycopg

        try:
            return psycopg.connect(self._address, connect_timeout=CONNECT_SECONDS, application_name="glassbox")
        except psycopg.Error as error:
            raise ConfigError(f"the database at {self.source} cannot be reached: {self._said(error)}.") from None

    def _said(self, error: Exception) -> str:
        text = " ".join(str(error).split("\n")[:1])[:200]
        return text.replace(self._password, "[password]") if self._password else text

    def _refuse_superuser(self) -> None:
        with self._connect() as connection:
            row = connection.execute(
                "SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
        if row and row[1]:
            raise ConfigError(
                f"the role {row[0]} is a superuser, whom no wall holds. Make one that only reads: {MAKE_A_ROLE}."
            )

    def _sample_of(self, table: str, size: int, most: int) -> str:
        share = min(100.0, 110.0 * most / size)
        return f"{self.name(table)} TABLESAMPLE BERNOULLI ({share:.4f}) REPEATABLE (1)"

    def _read_tables(self) -> dict[str, list[tuple[str, str, bool]]]:
        tables: dict[str, list[tuple[str, str, bool]]] = {}
        with self._connect() as connection:
            for schema, table, column, kind, is_key in connection.execute(TABLES):
                name = table if schema == "public" else f"{schema}.{table}"
                tables.setdefault(name, []).append((column, kind, is_key))
        return tables


def comparable(kind: str) -> bool:
    return not re.match(r"(json|xml|point|box|path|polygon|circle|line|lseg)\b", kind)


def look_at_plan(cursor: Any, query: str) -> None:
    """Ask the server how it would run the query, and which of the functions in the plan are volatile."""
    # Prepared: the extended protocol takes one statement. Without it psycopg sends stacked ones as they are.
    cursor.execute(f"EXPLAIN (VERBOSE, FORMAT JSON) {query}".encode(), prepare=True)
    plan = cursor.fetchone()[0]
    if "ModifyTable" in json.dumps(plan):
        raise Refused(ENGINE, "PostgreSQL's plan", "it changes a table")
    called = {name.strip('"') for text in texts(plan) for name in CALLED.findall(text)}
    cursor.execute("SELECT min(proname) FROM pg_proc WHERE proname = ANY (%s) AND provolatile = 'v'", [sorted(called)])
    (volatile,) = cursor.fetchone()
    if volatile:
        raise Refused(ENGINE, "PostgreSQL's plan", f"the function {volatile} may change something or reach out")


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def after(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest
