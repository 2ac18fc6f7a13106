"""One audit: what is seen of a collection, and what has been found. One value a run, shared by nothing."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from functions import ToolError
from jobs.auditor import causes
from jobs.auditor.alike import alike_by_chance
from jobs.auditor.profile import Profile, profile
from jobs.auditor.relations import Relation, as_compared, columns_of, measured, relations, within
from reach.database.database import KEPT_ROWS, Answer, Database, Failed, Field, Refused

CATEGORIES = ("completeness", "validity", "uniqueness", "consistency", "accuracy", "timeliness")
SEVERITIES = ("low", "medium", "high", "critical")
EXAMPLES = 5
OWN = 0.95  # of the rows: with more different values nearly each row has its own
TURN_CHARACTERS = 18_000  # of a turn's results: with the state, what a context window of 8,000 tokens holds


@dataclass(frozen=True)
class Finding:
    """What is wrong, and the query that proves it. `rows` are the key's values, `cells` pairs of row and field."""

    fields: tuple[str, ...]
    category: str
    severity: str
    claim: str
    query: str
    affected: int
    confidence: float
    suggestion: str
    rows: list[Any] = field(default_factory=list)
    cells: list[list[Any]] = field(default_factory=list)
    examples: list[dict[str, Any]] = field(default_factory=list)
    fingerprint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "fields": list(self.fields)}


@dataclass(frozen=True)
class Dismissed:
    """A finding that a gate did not take, and why."""

    finding: Finding
    reason: str


class Audit:
    """The audit of one collection. Tools write here what they saw; the gates and the memory read it.

    `kept` hears of each finding as it is taken (with "") or dismissed (with the reason).
    """

    def __init__(self, database: Database, collection: str) -> None:
        self.database, self.collection = database, collection
        self.history: list[dict[str, Any]] = []  # what earlier audits found: pattern, fields, category
        self.kept: Callable[[Finding, str], None] = lambda finding, reason: None
        self.number = 0  # in the store
        self.size = database.size(collection)
        self.fields: dict[str, Field] = {each.path: each for each in database.fields(collection)}
        self.sampled = 0
        self.profiles: dict[str, Profile] = {}
        self.queries: dict[str, int] = {}  # what was asked, and how many rows came back
        self.asked: set[str] = set()  # what is asked in this turn
        self.suspected: dict[str, tuple[str, int]] = {}  # by query that gave rows: why it was asked, and how many
        self.room = TURN_CHARACTERS  # for what is left of this turn's results
        self.actions: list[str] = []
        self.findings: list[Finding] = []
        self.causes: list[list[Finding]] = []  # the same ones: those over the same rows together
        self.dismissed: list[Dismissed] = []
        self.evaluations: list[dict[str, Any]] = []
        self.investigated: list[str] = []
        self.usage: list[tuple[int | None, int | None]] = []  # tokens read and written, an iteration
        self.critique = ""
        self.answered = False  # the last reply was an answer that was not taken
        self.concluded = False  # the last reply was an answer that was taken
        self._evidence: dict[str, Answer] = {}
        self._seen: tuple[list[Relation], tuple[float, float]] | None = None
        self._lock = threading.RLock()

    def profile(self, path: str) -> Profile:
        """Return what is known of a field's values; looked up once."""
        with self._lock:
            if path not in self.profiles:
                self.profiles[path] = profile(self.database.counts(self.fields[path]))
            return self.profiles[path]

    def fits(self, text: str) -> bool:
        """Whether a result finds room in this turn; then that room is taken."""
        with self._lock:
            if len(text) > self.room and self.room < TURN_CHARACTERS:
                return False
            self.room -= len(text)
            return True

    def relations(self) -> list[Relation]:
        """Return what fields have to do with each other; looked up once."""
        return self._looked()[0]

    def alike(self) -> tuple[float, float]:
        """How many rows chance would make the same as an earlier one: in all fields, and without those of which nearly
        each row has its own as a name (no measure); looked up once, in as many rows as relations are."""
        return self._looked()[1]

    def _looked(self) -> tuple[list[Relation], tuple[float, float]]:
        """Both from the same rows, which are many: they are read once and not kept."""
        with self._lock:
            if self._seen is None:
                here = [each for each in self.fields.values() if each.table == self.collection]
                first = within(self.collection, self.fields)
                columns = columns_of(self.database, self.collection, first)
                found = relations(self.database, self.collection, first, columns)
                if len(here) > len(first):
                    columns = columns_of(self.database, self.collection, here)
                columns = as_compared(here, columns)
                rows = len(next(iter(columns.values()), ()))
                shared = {n: held for n, held in columns.items() if len(set(held)) <= OWN * rows or measured(held)}
                beyond = (self.size / max(1, rows)) ** 2  # pairs grow with the square
                self._seen = found, (alike_by_chance(columns) * beyond, alike_by_chance(shared) * beyond)
            return self._seen

    def unrelated(self) -> list[str]:
        """The fields whose relations to others are not looked for: those beyond the first ones, and nested ones."""
        looked_for = {each.path for each in within(self.collection, self.fields)}
        return [path for path in self.fields if path not in looked_for]

    def did(self, line: str) -> None:
        """Note an action for the summary; the same line again is noted once, as the latest."""
        with self._lock:
            self.actions = [*(other for other in self.actions if other != line), line]

    def evidence(self, query: str, *, again: bool = False) -> Answer:
        """Return the rows that a finding's query gives, up to 100,000. Raises Refused and Failed."""
        with self._lock:
            if again or query not in self._evidence:
                self._evidence = {query: self.database.query(query, keep=KEPT_ROWS)}
            return self._evidence[query]

    def key_in(self, answer: Answer) -> tuple[str, ...]:
        """The key's columns that stand in an answer, of the first of the collection's tables whose key does."""
        tables = dict.fromkeys([self.collection, *(each.table for each in self.fields.values())])
        keys = [self.database.key(table) for table in tables]
        return max((key for key in keys if set(key) <= set(answer.columns)), key=len, default=())

    def finding(self, arguments: dict[str, Any], answer: Answer | None) -> Finding:
        """Return the finding that a call of write_finding describes, with the rows of its evidence if there is any."""
        fields = tuple(arguments["fields"])
        base = f"{self.collection}|{','.join(sorted(fields))}|{arguments['category']}"
        known = {other.fingerprint for other in self.findings}
        fingerprint = next(name for n in range(1, 1000) if (name := base if n == 1 else f"{base}|{n}") not in known)
        plain = {
            name: arguments[name] for name in Finding.__dataclass_fields__ if name in arguments and name != "fields"
        }
        found = Finding(fields=fields, **plain, fingerprint=fingerprint)
        return found if answer is None else self._with_rows(found, answer)

    def _with_rows(self, found: Finding, answer: Answer) -> Finding:
        places = [answer.columns.index(name) for name in self.key_in(answer)]
        rows = [row[places[0]] if len(places) == 1 else [row[place] for place in places] for row in answer.rows]
        named = answer.columns.index("_field") if "_field" in answer.columns else None
        cells = [
            [row, name]
            for row, values in zip(rows, answer.rows, strict=True)
            for name in (found.fields if named is None else [values[named]])
        ]
        examples = [dict(zip(answer.columns, row, strict=False)) for row in answer.rows[:EXAMPLES]]
        return Finding(**{**found.__dict__, "rows": rows, "cells": cells[:KEPT_ROWS], "examples": examples})

    def commit(self, found: Finding) -> None:
        with self._lock:
            self.findings.append(found)
            causes.join(self.causes, found, self.size)
            self.kept(found, "")

    def dismiss(self, found: Finding, reason: str) -> None:
        with self._lock:
            self.dismissed.append(Dismissed(found, reason))
            self.kept(found, reason)


def normal(query: str) -> str:
    """A query without what makes no difference: case and spaces outside quotations, a semicolon at the end."""
    parts = re.split(r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")", query.strip().rstrip(";"))
    return "".join(part if at % 2 else re.sub(r"\s+", " ", part.lower()) for at, part in enumerate(parts)).strip()


def no_room() -> ToolError:
    return ToolError("this turn's results have no more room; ask again in the next turn, and less at once")


def unanswered(problem: Refused | Failed) -> ToolError:
    return ToolError(f"the query was not answered: {problem}")
