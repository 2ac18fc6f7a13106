"""What fields have to do with each other, and hold for nearly all rows: that is where a fault shows."""

from __future__ import annotations

import datetime
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import correlation
from typing import Any

from jobs.auditor.profile import as_number, kind_of
from reach.database.database import Database, Field

LOOKED_AT = 20_000  # rows
TRIED = 400  # of them, before the rest is looked at
MOST_FIELDS = 40
MOST_NUMBERS = 14  # fields that sums are tried with
NEARLY = 0.9  # of the rows
VALUES = 100_000  # of a key that references are looked up in


@dataclass(frozen=True)
class Relation:
    """`kind` of `fields`, and for which share of the rows it holds (of those where both have a value).

    determines: the first field's value tells the second's (same: and the other way round). order: the first is at most
    the second. sum, product: the first is made of the other two. days: the first counts those between the others.
    swapped: rows hold each field's value in the other. reference: the value stands in `target` (collection, field).
    """

    kind: str
    fields: tuple[str, ...]
    share: float
    target: tuple[str, str] = ("", "")

    def to_json(self) -> dict[str, Any]:
        told = {"kind": self.kind, "fields": list(self.fields), "share": round(self.share, 5)}
        return {**told, "target": list(self.target)} if self.target[0] else told


def relations(database: Database, collection: str, fields: Sequence[Field]) -> list[Relation]:
    """Return the relations that hold for nearly all rows (not those that hold for all: they are no news)."""
    here = [each for each in fields if each.table == collection][:MOST_FIELDS]
    rows = database.rows(collection, here, LOOKED_AT)
    columns = {each.path: [row[at] for row in rows] for at, each in enumerate(here)}
    found = [
        *dependencies(columns),
        *orders(columns),
        *arithmetic(columns),
        *swaps(columns),
        *references(database, collection, here, columns),
    ]
    news = 1.0 if database.size(collection) <= LOOKED_AT else 1.1  # what holds in a sample may not hold in all rows
    return [each for each in found if each.kind == "swapped" or NEARLY <= each.share < news]


def dependencies(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """A value that tells another: by far more often than guessing the most frequent value would."""
    distinct = {name: Counter(v for v in values if v is not None) for name, values in columns.items()}
    able = [name for name, counts in distinct.items() if 1 < len(counts) <= counts.total() / 4 and not measured(counts)]
    found: dict[str, list[str]] = defaultdict(list)
    for left, right in itertools.permutations(sorted(able, key=lambda name: -len(distinct[name])), 2):
        if left in found[right] or any(right in found[middle] for middle in found[left]):
            continue  # known already the other way round, or by way of a third field
        guess = distinct[right].most_common(1)[0][1] / distinct[right].total()
        pairs = list(zip(columns[left], columns[right], strict=True))
        if told(pairs[: 5 * TRIED]) < NEARLY:
            continue
        share = told(pairs)
        if 1 - share <= 0.2 * (1 - guess) and 1 - share <= 0.03:
            found[left].append(right)
            back = told(list(zip(columns[right], columns[left], strict=True))) if share < 1 else 0.0
            yield Relation("same" if back >= 0.95 else "determines", (left, right), share)


def measured(values: Iterable[Any]) -> bool:
    """Whether values are measures: numbers, some with a part behind the point. A measure names nothing."""
    return any(isinstance(value, float) and not value.is_integer() for value in values)


def told(pairs: Sequence[tuple[Any, Any]]) -> float:
    """The share of rows whose second value is the usual one of their first, where the first stands more than twice."""
    groups: defaultdict[Any, Counter[Any]] = defaultdict(Counter)
    for left, right in pairs:
        if left is not None and right is not None:
            groups[left][right] += 1
    large = [group for group in groups.values() if group.total() > 2]
    total = sum(group.total() for group in large)
    return sum(max(group.values()) for group in large) / total if total >= 20 else 0.0


def orders(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """One field at most another: dates always, numbers where the names share a word and the values rise together."""
    for kind, (left, right) in itertools.chain(
        (("date", pair) for pair in itertools.permutations(of_kind(columns, "date"), 2)),
        (("number", pair) for pair in itertools.permutations(of_kind(columns, "number"), 2) if akin(*pair)),
    ):
        share = holds(columns, (left, right), lambda a, b: a <= b, kind)
        equal = holds(columns, (left, right), lambda a, b: a == b, kind)
        if share >= 0.95 and equal < 0.9 and (kind == "date" or go_together(columns[left], columns[right])):
            yield Relation("order", (left, right), share)


def arithmetic(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """One number made of two others, or counting the days between two dates."""
    numbers = [n for n in of_kind(columns, "number") if len(set(columns[n])) > 5][:MOST_NUMBERS]
    for result in numbers:
        others = [name for name in numbers if name != result]
        for left, right in itertools.combinations(others, 2):
            for kind, made in (("sum", lambda a, b: a + b), ("product", lambda a, b: a * b)):
                share = holds(columns, (result, left, right), lambda r, a, b, made=made: alike(r, made(a, b)), "number")
                if share >= NEARLY:
                    yield Relation(kind, (result, left, right), share)
        for start, end in itertools.permutations(of_kind(columns, "date"), 2):
            share = holds(columns, (result, start, end), lambda n, a, b: n == days(a, b), "")
            if share >= NEARLY:
                yield Relation("days", (result, start, end), share)


def swaps(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """Rows in which two fields hold values that are frequent in the other field alone."""
    usual = {}
    for name, values in columns.items():
        counts = Counter(value for value in values if isinstance(value, str))
        if counts and len(counts) < 0.2 * counts.total():
            usual[name] = {value for value, times in counts.items() if times >= max(5, 0.002 * counts.total())}
    for left, right in itertools.combinations(usual, 2):
        mine, other = usual[left] - usual[right], usual[right] - usual[left]
        if usual[left] & usual[right] or not mine or not other:
            continue
        swapped = sum(a in other and b in mine for a, b in zip(columns[left], columns[right], strict=True))
        if swapped:
            yield Relation("swapped", (left, right), 1 - swapped / len(columns[left]))


def references(
    database: Database, collection: str, fields: Sequence[Field], columns: dict[str, list[Any]]
) -> Iterator[Relation]:
    """A field whose values stand, nearly all, in the key of another collection."""
    keys = {}
    for other in database.collections():
        for each in database.fields(other) if other != collection else []:
            if each.table == other:
                counts = database.counts(each, VALUES)
                if None not in counts.times and len(counts.times) == counts.rows > 1:
                    keys[(other, each.path)] = set(counts.times)
    for each in fields:
        values = [value for value in columns[each.path] if value is not None]
        several = len(set(values)) > 5
        for target, known in keys.items():
            if several and not ordinal(known):
                share = sum(value in known for value in values) / len(values)
                if share >= NEARLY:
                    yield Relation("reference", (each.path,), share, target)


def ordinal(known: set[Any]) -> bool:
    """Whether a key just counts from a small number on: any small number would stand in it."""
    return (
        all(isinstance(value, int) for value in known) and max(known) - min(known) < 2 * len(known) and min(known) < 2
    )


def holds(columns: dict[str, list[Any]], names: Sequence[str], rule: Callable[..., bool], kind: str) -> float:
    """The share of the rows, of those where all the fields have a value, for which a rule holds; 0 where few do."""
    rows = zip(*(columns[name] for name in names), strict=True)
    true = total = 0
    for row in rows:
        values = [as_number(value) for value in row] if kind == "number" else row
        if any(value is None for value in values) or kind == "date" and not all(kind_of(v) == "date" for v in values):
            continue
        total += 1
        true += rule(*values)
        if total == TRIED // 10 and true < 0.6 * total or total == TRIED and true < 0.8 * total:
            return 0.0
    return true / total if total >= 20 else 0.0


def of_kind(columns: dict[str, list[Any]], wanted: str) -> list[str]:
    """The fields most of whose values are of a kind."""
    found = []
    for name, values in columns.items():
        filled = [value for value in values[:TRIED] if value is not None]
        if filled and sum(kind_of(value).startswith(wanted) for value in filled) > 0.8 * len(filled):
            found.append(name)
    return found


def akin(left: str, right: str) -> bool:
    """Whether two names share a word: `min_price` and `max_price`, `pressure_low` and `pressure_high`."""
    words = [set(name.lower().replace(".", "_").replace(" ", "_").split("_")) for name in (left, right)]
    return len(words[0] & words[1]) > 0 and words[0] != words[1]


def go_together(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether two numbers rise together: the correlation of their ranks is a half or more."""
    pairs = [(as_number(a), as_number(b)) for a, b in zip(left, right, strict=True)]
    pairs = [pair for pair in pairs if None not in pair][: 5 * TRIED]
    ranks = [ranked([pair[side] for pair in pairs]) for side in (0, 1)]
    return len(pairs) > 20 and correlation(*ranks) >= 0.5


def ranked(values: Sequence[float]) -> list[float]:
    places = {at: rank for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__))}
    return [places[at] for at in range(len(values))]


def alike(left: float, right: float) -> bool:
    return abs(left - right) <= max(0.0051, 1e-6 * abs(right))


def days(start: Any, end: Any) -> int | None:
    try:
        first, last = (datetime.date.fromisoformat(str(value)[:10]) for value in (start, end))
    except ValueError:
        return None
    return (last - first).days
