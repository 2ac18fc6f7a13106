"""What every engine gives: collections, their fields, samples of values, and answers to queries that only read."""

from __future__ import annotations

import datetime
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reach.child import Child

QUERY_SECONDS = 10.0
GRACE_SECONDS = 1.0  # for the engine's own clock to say it first
SHOWN_ROWS = 100
KEPT_ROWS = 100_000  # of a finding's evidence
SAMPLED_ROWS = 100_000  # a field with more different values is profiled by a sample of this size
ENDS = 10  # values at each end that a sample is completed with
LONGEST_CELL = 200  # characters
LONGEST_QUERY = 20_000  # characters
LONGEST_KEPT = 2_000  # characters of a cell of an answer
MOST_KEPT = 16 * 2**20  # characters of an answer: beyond, rows are counted alone

ENGINE, READER = "engine", "reader"
ALL_WALLS = frozenset((ENGINE, READER))


class Refused(Exception):
    """A query that is not run, in a sentence that names the wall; `wall` is "engine" or "reader"."""

    def __init__(self, wall: str, who: str, why: str) -> None:
        super().__init__(f"refused by {who}: {why}. A query is one SELECT that only reads the collections")
        self.wall, self.parts = wall, (wall, who, why)


class Failed(Exception):
    """A query that may be run and did not come to an end: what the engine said of it."""


@dataclass(frozen=True)
class Field:
    """A field of a collection. `path` is how it is named (`address.city`, `items[].price`), `table` and `expression`
    how a query names it, `declared` the type that the engine keeps for it ("" where it keeps none), `compared` gives
    what the engine compares of a value: of one for which capitals are the same, the text in small letters."""

    path: str
    table: str
    expression: str
    declared: str = ""
    compared: Callable[[Any], Any] | None = None  # None: the value as it is


@dataclass(frozen=True)
class Answer:
    """The answer to a query: the first rows, and how many there are in all."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    count: int


@dataclass(frozen=True)
class Counts:
    """How often each value of a field stands (None: missing), of how many rows there are, and whether by a sample."""

    times: dict[Any, int]
    rows: int
    sampled: bool


class Database:
    """The base of the engines. An engine gives `collections`, `fields`, `key` and `_stream`; the rest stands here."""

    dialect = ""
    engine = ""  # the engine's name for a person
    source = ""  # what is shown of where it is: never a password
    identity = ""  # which of several of that name it is, for what is remembered of it: never a password either

    def __init__(self) -> None:
        self.apart: Child | None = None  # where queries of a model run, for engines whose clock does not always hold
        self.notes: tuple[str, ...] = ()  # what a person should know of how the source was read
        self.cancelled = threading.Event()  # set by Ctrl-C: what is under way should stop

    def collections(self) -> list[str]:
        raise NotImplementedError

    def fields(self, collection: str) -> list[Field]:
        raise NotImplementedError

    def key(self, table: str) -> tuple[str, ...]:
        """The columns that name a row of a table."""
        raise NotImplementedError

    def name(self, table: str) -> str:
        """A table as a query names it."""
        return quoted(table)

    def _stream(self, query: str, seconds: float) -> AbstractContextManager[tuple[tuple[str, ...], Iterator[Sequence]]]:
        """Run a query behind the engine's own wall; give the columns and the rows as they come."""
        raise NotImplementedError

    def _read(self, query: str) -> None:
        """The second wall: raise Refused unless the text of the query is one that only reads."""
        raise NotImplementedError

    def query(self, query: str, keep: int = SHOWN_ROWS, seconds: float = QUERY_SECONDS) -> Answer:
        """Run a query that only reads; count all its rows and keep the first. Raises Refused and Failed."""
        if len(query) > LONGEST_QUERY or "\0" in query:
            raise Failed(f"the query must be text of at most {LONGEST_QUERY:,} characters")
        if self.apart:
            return self._asked(query, keep, seconds)
        self._read(query)
        with self._stream(query, seconds) as (columns, rows):
            kept: list[tuple[Any, ...]] = []
            count = held = 0
            for row in rows:
                count += 1
                if count <= keep and held < MOST_KEPT:
                    kept.append(tuple(shortened(plain(value)) for value in row))
                    held += sum(len(value) if isinstance(value, str) else 8 for value in kept[-1])
            return Answer(columns, kept, count)

    def _asked(self, query: str, keep: int, seconds: float) -> Answer:
        """The same in a process that is killed where the engine's own clock does not stop it."""
        from reach.child import Gone, Late

        question = {"query": query, "keep": keep, "seconds": seconds}
        try:
            return _understood(self.apart.ask(question, seconds + GRACE_SECONDS, self.cancelled))
        except Late:
            why = "was stopped by the person" if self.cancelled.is_set() else f"was stopped after {seconds:g} seconds"
            raise Failed(f"the query {why}; narrow it, or count fewer combinations") from None
        except Gone:
            raise Failed(f"{self.engine} ended on this query without an answer; write it another way") from None

    def size(self, table: str) -> int:
        return self._trusted(f"SELECT count(*) FROM {self.name(table)}")[0][0]

    def counts(self, field: Field, most: int = SAMPLED_ROWS) -> Counts:
        """Return how often each value of a field stands; from a sample where there are more than `most` different ones,
        then with the exact number of missing values, and with the values at both ends."""
        expression, table = field.expression, self.name(field.table)
        group = "SELECT {0}, count(*) FROM {1} GROUP BY {0}"
        rows = self._trusted(f"{group.format(expression, table)} LIMIT {most + 1}")
        if len(rows) <= most:
            return Counts({plain(value): count for value, count in rows}, sum(count for _, count in rows), False)
        size, filled = self._trusted(f"SELECT count(*), count({expression}) FROM {table}")[0]
        rows = self._trusted(group.format(expression, self._sample_of(field.table, size, most)))
        found = {plain(value): count for value, count in rows}
        for way in ("ASC", "DESC"):
            ends = f"SELECT DISTINCT {expression} FROM {table} WHERE {expression} IS NOT NULL"
            for (value,) in self._trusted(f"{ends} ORDER BY {expression} {way} LIMIT {ENDS}"):
                found.setdefault(plain(value), 1)
        if size > filled:
            found[None] = size - filled
        return Counts(found, size, True)

    def rows(self, collection: str, fields: Sequence[Field], most: int) -> list[tuple[Any, ...]]:
        """Return rows of a collection, spread over all of it where it has more than `most`."""
        wanted = ", ".join(field.expression for field in fields)
        size = self.size(collection)
        table = self.name(collection) if size <= most else self._sample_of(collection, size, most)
        return [tuple(map(plain, row)) for row in self._trusted(f"SELECT {wanted} FROM {table} LIMIT {most}")]

    def _sample_of(self, table: str, size: int, most: int) -> str:
        raise NotImplementedError

    def _trusted(self, query: str) -> list[Sequence[Any]]:
        """Run a query of our own: the same engine's wall, more time. Many short ones hear of Ctrl-C between them."""
        if self.cancelled.is_set():
            raise Failed("it was stopped by the person")
        with self._stream(query, 10 * QUERY_SECONDS) as (_, rows):
            return list(rows)

    def describe(self) -> str:
        """One line for a person: what is held, and by which walls."""
        return f"{self.engine}: {self.source}, read only; a query has {QUERY_SECONDS:g} s; {self.walls_line()}"

    def walls_line(self) -> str:
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the connection, and of what was made for it."""
        if self.apart:
            self.apart.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _understood(answer: dict[str, Any]) -> Answer:
    """What the process apart said. Raises Refused and Failed as the engine did."""
    if "refused" in answer:
        raise Refused(*answer["refused"])
    if "failed" in answer:
        raise Failed(answer["failed"])
    return Answer(tuple(answer["columns"]), [tuple(row) for row in answer["rows"]], answer["count"])


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def shortened(value: Any) -> Any:
    """A cell of an answer: text beyond what anybody reads is cut, and says so."""
    if not isinstance(value, str) or len(value) <= LONGEST_KEPT:
        return value
    return f"{value[:LONGEST_KEPT]}[...{len(value) - LONGEST_KEPT} more]"


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers, text, true and false, null; everything else as its text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < 2**53 else float(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"bytes {bytes(value)[:20].hex()}"
    return str(value)


def words(listed: str) -> frozenset[str]:
    """A list of names, as it is written down."""
    return frozenset(listed.split())


Tell = Callable[[str], None]
