"""What audits leave behind for the next one: runs, findings and dismissed findings, in SQLite or in Postgres.

Every finding is written when it is taken, so that a killed audit leaves what it had. Several audits may write at once.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from config import ConfigError, need
from jobs.auditor.audit import Finding

REMEMBERED = 10  # audits of a collection that make its history
NEEDED = {"fields", "category", "fingerprint", "claim", "affected"}  # what the next audit looks at in a finding
KEPT_ROWS = 1_000  # of a finding, in the store
MIGRATIONS = (  # from each version of the schema to the next
    (
        "CREATE TABLE audits (number {serial}, source TEXT, collection TEXT, row_count BIGINT, began REAL, ended REAL, "
        "status TEXT)",
        "CREATE TABLE findings (audit BIGINT, fingerprint TEXT, finding TEXT)",
    ),
    (
        "ALTER TABLE findings ADD COLUMN dismissed TEXT DEFAULT ''",
        "CREATE INDEX findings_of ON findings (audit)",
        "CREATE INDEX audits_of ON audits (source, collection)",
    ),
)


class Store:
    """`address` is the path of a SQLite file, or postgresql://. Raises ConfigError where it cannot be opened."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._is_postgres = address.split("://", 1)[0] in ("postgresql", "postgres")
        self.place = f"{urlsplit(address).hostname}{urlsplit(address).path}" if self._is_postgres else address
        if self._is_postgres:
            need("psycopg", extra="postgres")
        try:
            self._migrate()
        except (OSError, TypeError, *self._errors()) as error:
            raise self._unusable(error) from None

    def begin(self, source: str, collection: str, rows: int) -> int:
        """A new audit; return its number."""
        values = (source, collection, rows, time.time(), "running")
        query = (
            "INSERT INTO audits (source, collection, row_count, began, status) VALUES (?, ?, ?, ?, ?) RETURNING number"
        )
        return self._run(query, values)[0][0]

    def keep(self, number: int, finding: Finding, reason: str) -> None:
        """Write a finding down, at once; `reason` is why it was dismissed, "" where it was taken."""
        data = {**finding.to_json(), "rows": finding.rows[:KEPT_ROWS], "cells": []}
        values = (number, finding.fingerprint, json.dumps(data, ensure_ascii=False), reason)
        self._run("INSERT INTO findings (audit, fingerprint, finding, dismissed) VALUES (?, ?, ?, ?)", values)

    def end(self, number: int, status: str) -> None:
        self._run("UPDATE audits SET ended = ?, status = ? WHERE number = ?", (time.time(), status, number))

    def _unusable(self, error: Exception) -> ConfigError:
        why = str(error).split("\n", 1)[0].replace(urlsplit(self._address).password or "\0", "[password]")
        return ConfigError(
            f"the audits at {self.place} cannot be kept or read ({why}). Nothing of them is changed: move them away, "
            "or name another place as AUDIT_STORE."
        )

    def findings(self, number: int, *, dismissed: bool = False) -> list[dict[str, Any]]:
        """What an audit found, or dismissed (with the reason), as plain data."""
        rows = self._run("SELECT finding, dismissed FROM findings WHERE audit = ?", (number,))
        try:
            wanted = ((json.loads(data), why) for data, why in rows if bool(why) == dismissed)
            found = [dict(data) | ({"reason": why} if why else {}) for data, why in wanted]
            if not all(each.keys() >= NEEDED for each in found):
                raise ValueError("a finding is not whole")
            return found
        except (ValueError, TypeError) as error:
            raise self._unusable(error) from None

    def earlier(self, source: str, collection: str, before: int = 2**62) -> list[int]:
        """The numbers of the audits of a collection that came to an end, the newest first."""
        query = "SELECT number FROM audits WHERE source = ? AND collection = ? AND number < ? AND status = 'ended'"
        return [
            row[0]
            for row in self._run(f"{query} ORDER BY number DESC LIMIT {REMEMBERED}", (source, collection, before))
        ]

    def history(self, source: str, collection: str) -> list[dict[str, Any]]:
        """What is known before an audit begins: findings of several audits (persistent), of one, and dismissed ones."""
        numbers = self.earlier(source, collection)
        times: Counter[str] = Counter()
        known: dict[str, dict[str, Any]] = {}
        for number in reversed(numbers):
            for is_dismissed in (False, True):
                for each in self.findings(number, dismissed=is_dismissed):
                    name = f"{is_dismissed}{each['fingerprint']}"
                    times[name] += 1
                    pattern = "dismissed" if is_dismissed else "persistent" if times[name] > 1 else "one-off"
                    known[name] = {"pattern": pattern, **{n: each[n] for n in ("fields", "category", "fingerprint")}}
        return sorted(known.values(), key=lambda each: each["pattern"] != "persistent")

    def _migrate(self) -> None:
        """Bring the schema to the newest version, step by step. Raises ConfigError for one that is newer still."""
        with self._connection() as connection:
            self._lock(connection)
            connection.execute("CREATE TABLE IF NOT EXISTS audit_schema (version INTEGER)")
            row = connection.execute("SELECT max(version) FROM audit_schema").fetchone()
            version = row[0] or 0
            if version > len(MIGRATIONS):
                raise ConfigError(f"the audits at {self.place} were kept by a newer program (schema {version}).")
            for number, steps in enumerate(MIGRATIONS[version:], version + 1):
                for step in steps:
                    connection.execute(step.format(serial=self._serial()))
                connection.execute(f"INSERT INTO audit_schema VALUES ({number})")

    def _serial(self) -> str:
        return "BIGSERIAL PRIMARY KEY" if self._is_postgres else "INTEGER PRIMARY KEY AUTOINCREMENT"

    def _lock(self, connection: Any) -> None:
        """One program at a time looks at the version and changes the schema."""
        connection.execute("SELECT pg_advisory_xact_lock(20260107)" if self._is_postgres else "BEGIN IMMEDIATE")

    def _run(self, query: str, values: Sequence[Any]) -> list[Sequence[Any]]:
        try:
            with self._connection() as connection:
                cursor = connection.execute(query.replace("?", "%s") if self._is_postgres else query, values)
                return cursor.fetchall() if cursor.description else []
        except self._errors() as error:
            raise self._unusable(error) from None

    @contextlib.contextmanager
    def _connection(self) -> Iterator[Any]:
        """A connection for one transaction: audits in several threads and processes share a store."""
        if self._is_postgres:
            import psycopg

            with psycopg.connect(self._address, connect_timeout=10) as connection:
                yield connection
            return
        Path(self._address).parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._address, timeout=30, isolation_level=None)
        try:
            yield connection
            if connection.in_transaction:
                connection.commit()
        finally:
            connection.close()

    def _errors(self) -> tuple[type[Exception], ...]:
        if not self._is_postgres:
            return (sqlite3.Error,)
        import psycopg

        return (psycopg.Error,)


def difference(before: Sequence[dict[str, Any]], now: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """What is new, what persists and what is gone between two audits: a line a finding."""
    names = [{each["fingerprint"] for each in findings} for findings in (before, now)]

    def lines(findings: Sequence[dict[str, Any]], wanted: set[str]) -> list[dict[str, Any]]:
        chosen = [each for each in findings if each["fingerprint"] in wanted]
        return [{name: each[name] for name in ("fields", "category", "claim", "affected")} for each in chosen]

    return {
        "new": lines(now, names[1] - names[0]),
        "persisting": lines(now, names[1] & names[0]),
        "gone": lines(before, names[0] - names[1]),
    }
