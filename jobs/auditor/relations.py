"""What fields have to do with each other, and hold for nearly all rows: that is where a fault shows."""

from __future__ import annotations

import datetime
import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
LEAST_PROVEN = 20  # rows
LEAST_TOLD = 0.55  # of the rows, for a dependency with errors
FEWEST_GROUPS = 3  # values that tell another but for errors
MOST_SHIFTED = 2_000  # different values of a field that values may have been shifted from
ALWAYS = ("swapped", "swapped sorts", "shifted", "determines")  # whatever their share
VALUES = 100_000  # of a key that references are looked up in
MOST_TARGETS = 200  # collections that are looked at for where references go to
KEYS_TRIED = 3  # fields of each: its key, its first one, those that are called as one of ours


@dataclass(frozen=True)
class Relation:
    """`kind` of `fields`, and for which share of the rows it holds (of those where both have a value).

    determines: the first field's value tells the second's (same: and the other way round). order: the first is at most
    the second. sum, product: the first is made of the other two. days: the first counts those between the others.
    swapped, swapped sorts: rows hold each field's value in the other. shifted: the second's value stands behind the
    first's, and the second is empty. reference: the value stands in `target` (collection, field).
    """

    kind: str
    fields: tuple[str, ...]
    share: float
    target: tuple[str, str] = ("", "")

    def to_json(self) -> dict[str, Any]:
        told = {"kind": self.kind, "fields": list(self.fields), "share": round(self.share, 5)}
        return {**told, "target": list(self.target)} if self.target[0] else told


def relations(
    database: Database, collection: str, fields: Sequence[Field], columns: dict[str, list[Any]]
) -> list[Relation]:
    """Return the relations between fields, whose values `columns` holds, that hold for nearly all rows (not those that
    hold for all: they are no news)."""
    compared = as_compared(fields, columns)
    found = [
        *dependencies(compared),
        *orders(columns),
        *arithmetic(columns),
        *swaps(compared),
        *shifts(columns),
        *references(database, collection, fields, columns),
    ]
    news = 1.0 if database.size(collection) <= LOOKED_AT else 1.1  # what holds in a sample may not hold in all rows
    return [each for each in found if each.kind in ALWAYS or NEARLY <= each.share < news]


def columns_of(database: Database, collection: str, fields: Sequence[Field]) -> dict[str, list[Any]]:
    """The values of fields in as many rows as are looked at: fewer where there are very many fields."""
    most = LOOKED_AT * MOST_FIELDS // max(MOST_FIELDS, len(fields))
    rows = database.rows(collection, fields, most)
    return {each.path: [row[at] for row in rows] for at, each in enumerate(fields)}


def as_compared(fields: Iterable[Field], columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The values of columns so that those are the same which a query finds to be."""
    rules = {each.path: each.compared for each in fields if each.compared}
    return {name: list(map(rules[name], held)) if name in rules else held for name, held in columns.items()}


def within(collection: str, fields: Mapping[str, Field]) -> list[Field]:
    """The fields whose relations are looked for: pairs and threes of more would take too long."""
    return [each for each in fields.values() if each.table == collection][:MOST_FIELDS]


def dependencies(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """A value that tells another, but for errors that may be many: they are scattered evenly over all its groups, where
    a mere tendency holds in some groups and not in others. Of the fields that tell another, the one that does it best.
    """
    distinct = {name: Counter(v for v in values if v is not None) for name, values in columns.items()}
    able = [name for name, counts in distinct.items() if 1 < len(counts) <= counts.total() / 4 and not measured(counts)]
    best: dict[str, Relation] = {}
    for left, right in itertools.permutations(sorted(able, key=lambda name: len(distinct[name])), 2):
        pairs = list(zip(columns[left], columns[right], strict=True))
        if told(pairs[: 5 * TRIED])[0] < LEAST_TOLD:
            continue
        share, unevenness = told(pairs)
        counted = distinct[left].total() / len(distinct[left]) < 10 and all(map(is_number, distinct[left]))
        if share < LEAST_TOLD or share < 1 and (counted or not tells(pairs, share, unevenness)):
            continue
        if right not in best or share > best[right].share:
            back = told(list(zip(columns[right], columns[left], strict=True)))[0] if share < 1 else 0.0
            is_same = back >= 0.95 and share >= 0.95
            best[right] = Relation("same" if is_same else "determines", (left, right), share)
    seen: set[frozenset[str]] = set()
    for relation in best.values():
        if frozenset(relation.fields) not in seen:
            yield relation
        seen |= {frozenset(relation.fields)} if relation.kind == "same" else set()


def measured(values: Iterable[Any]) -> bool:
    """Whether values are measures: numbers, some with a part behind the point. A measure names nothing."""
    return any(isinstance(value, float) and not value.is_integer() for value in values)


def told(pairs: Sequence[tuple[Any, Any]]) -> tuple[float, float]:
    """The share of rows whose second value is the usual one of their first, where the first stands more than twice; and
    how unevenly the others lie in the groups, by the index of dispersion: 1 is how chance would spread errors."""
    groups: defaultdict[Any, Counter[Any]] = defaultdict(Counter)
    for left, right in pairs:
        if left is not None and right is not None:
            groups[left][right] += 1
    large = [(group.total(), max(group.values())) for group in groups.values() if group.total() > 2]
    total = sum(size for size, _ in large)
    if total < 20:
        return 0.0, 0.0
    share = sum(most for _, most in large) / total
    if len(large) < 3 or share == 1:
        return share, 1.0
    wrong = [(size - most - size * (1 - share)) ** 2 / (size * share * (1 - share)) for size, most in large]
    return share, sum(wrong) / (len(wrong) - 1)


def tells(pairs: Sequence[tuple[Any, Any]], share: float, unevenness: float) -> bool:
    """Whether a field tells another but for errors. A tendency errs nearly as much as the same values in any order do,
    or errs in some groups alone; the more errors, the surer it must be."""
    shuffled = [right for _, right in pairs]
    random.Random(len(pairs)).shuffle(shuffled)
    by_chance = 1 - told([(left, right) for (left, _), right in zip(pairs, shuffled, strict=True)])[0]
    ratio = (1 - share) / by_chance if by_chance else 1.0
    sizes = Counter(left for left, _ in pairs if left is not None)
    groups, most_rows = len(sizes), max(sizes.values(), default=0)
    if sum(size >= max(5, most_rows / 10) for size in sizes.values()) < FEWEST_GROUPS:
        return False  # too few to see whether errors are spread evenly
    chance = 1.5 * (2 / max(1, groups - 1)) ** 0.5  # by which the index of dispersion strays
    # the least share, the most of the errors that chance would make, the most unevenness beside what chance adds
    rules = ((0.97, 0.2, 2.5), (0.85, 0.26, 1.3), (LEAST_TOLD, 0.5, 1.0))
    _, most, uneven = next(rule for rule in rules if share >= rule[0])
    return ratio <= most and unevenness <= uneven + chance


def orders(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """One field at most another: dates always, numbers where the names share a word and the values rise together."""
    for kind, (left, right) in itertools.chain(
        (("date", pair) for pair in itertools.permutations(of_kind(columns, "date"), 2)),
        (("number", pair) for pair in itertools.permutations(of_kind(columns, "number"), 2) if akin(*pair)),
    ):
        share = holds(columns, (left, right), lambda a, b: a <= b, kind)
        equal = holds(columns, (left, right), lambda a, b: a == b, kind)
        if share < 0.95 or equal >= 0.9:
            continue
        if kind == "date" or go_together(columns[left], columns[right]) and is_broken(columns[left], columns[right]):
            yield Relation("order", (left, right), share)


def arithmetic(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """One number made of two others, or counting the days between two dates. Of several ways to make a number the one
    that fails least: what is wrong with it is one cause."""
    numbers = [n for n in of_kind(columns, "number") if len(set(columns[n])) > 5][:MOST_NUMBERS]
    for result in numbers:
        others = [name for name in numbers if name != result]
        made: list[Relation] = []
        for left, right in itertools.combinations(others, 2):
            for kind, of in (("sum", lambda a, b: a + b), ("product", lambda a, b: a * b)):
                share = holds(columns, (result, left, right), lambda r, a, b, of=of: alike(r, of(a, b)), "number")
                if share >= NEARLY and proven(columns, (result, left, right), of):
                    made.append(Relation(kind, (result, left, right), share))
        yield from [max(made, key=lambda each: each.share)] if made else []
        for start, end in itertools.permutations(of_kind(columns, "date"), 2):
            share = holds(columns, (result, start, end), lambda n, a, b: n == days(a, b), "")
            if share >= NEARLY:
                yield Relation("days", (result, start, end), share)


def proven(columns: dict[str, list[Any]], names: Sequence[str], of: Callable[[float, float], float]) -> bool:
    """Whether a number is made of two others also where both parts count: where one is 0, or multiplies by 1, the
    result is the other one or nothing, and columns of many zeros agree without having to do with each other; so do
    numbers so small that all are alike."""
    rows = ([as_number(value) for value in row] for row in zip(*(columns[name] for name in names), strict=True))
    told = [
        alike(r, of(a, b))
        for r, a, b in rows
        if None not in (r, a, b) and not any(alike(of(a, b), x) for x in (a, b, 0))
    ]
    return len(told) >= LEAST_PROVEN and sum(told) >= NEARLY * len(told)


def swaps(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """Rows in which two fields hold each other's value: a value belongs to the field where it stands more often, or to
    the one whose sort it is (numbers, words). Where fields share their values, hardly any row is wholly on one side."""
    counts = {name: Counter(value for value in values if value is not None) for name, values in columns.items()}
    words = {name: wordy(counts[name]) for name in columns if counts[name]}
    for left, right in itertools.combinations(words, 2):
        if min(words[left], words[right]) > 0.5:
            if max(len(counts[name]) / counts[name].total() for name in (left, right)) > 0.5:
                continue
            kind = "swapped"
            here, there = counts[left], counts[right]
            mine = [(here[a] > there[a], there[b] > here[b]) for a, b in filled(columns, left, right)]
        elif max(words[left], words[right]) > 0.5:
            kind = "swapped sorts"
            text, number = (left, right) if words[left] > 0.5 else (right, left)
            if words[number] == 0 or words[text] == 1:
                continue
            left, right = number, text  # noqa: PLW2901
            mine = [(is_number(a), not is_number(b)) for a, b in filled(columns, left, right)]
        else:
            continue
        swapped, mixed = sum(pair == (False, False) for pair in mine), sum(pair[0] != pair[1] for pair in mine)
        if kind == "swapped sorts":  # they must be why there are words among the numbers
            mixed = 0 if swapped > 0.5 * words[left] * counts[left].total() else len(mine)
        if swapped and (mixed <= max(0.02 * len(mine), 0.3 * swapped)):
            yield Relation(kind, (left, right), 1 - swapped / len(columns[left]))


def filled(columns: dict[str, list[Any]], *names: str) -> Iterator[tuple[Any, ...]]:
    """The rows in which all of these fields have a value."""
    return (row for row in zip(*(columns[name] for name in names), strict=True) if None not in row)


def is_number(value: Any) -> bool:
    return as_number(value) is not None


def wordy(counts: Counter[Any]) -> float:
    return sum(times for value, times in counts.items() if not is_number(value)) / counts.total()


def shifts(columns: dict[str, list[Any]]) -> Iterator[Relation]:
    """Rows in which a field is empty and its value stands behind that of the field before it."""
    for left, right in itertools.pairwise(columns):
        known = {str(value) for value in columns[right] if value is not None}
        whole = {str(a) for a, b in zip(columns[left], columns[right], strict=True) if a is not None and b is not None}
        if max(len(known), len(whole)) > MOST_SHIFTED or not known or len(known) == len(columns[right]):
            continue
        empty = [a for a, b in zip(columns[left], columns[right], strict=True) if b is None and isinstance(a, str)]
        words = sum(not is_number(value) for value in known) > 0.5 * len(known)
        shifted = 0
        for value in empty:
            places = [at for at, letter in enumerate(value) if letter == " "]
            shifted += any(value[at + 1 :] in known or words and value[:at].rstrip(",") in whole for at in places)
        if shifted > 0.3 * len(empty):
            yield Relation("shifted", (left, right), 1 - shifted / len(columns[left]))


def references(
    database: Database, collection: str, fields: Sequence[Field], columns: dict[str, list[Any]]
) -> Iterator[Relation]:
    """A field whose values stand, nearly all, in the key of another collection."""
    keys: dict[tuple[str, str], tuple[set[Any], Callable[[Any], Any]]] = {}  # and how the engine compares with them
    names = {each.path.lower() for each in fields}
    others = [other for other in database.collections() if other != collection]
    for other in others[:MOST_TARGETS]:
        able = [each for each in database.fields(other) if each.table == other]
        known = set(database.key(other))
        chosen = [each for at, each in enumerate(able) if at == 0 or each.path in known or each.path.lower() in names]
        for each in chosen[:KEYS_TRIED]:
            counts = database.counts(each, VALUES)
            if None not in counts.times and len(counts.times) == counts.rows > 1:
                compared = each.compared or (lambda value: value)
                keys[(other, each.path)] = {compared(value) for value in counts.times}, compared
                break
    for each in fields:
        values = [value for value in columns[each.path] if value is not None]
        several = len(set(values)) > 5
        for target, (known, compared) in keys.items():
            if several and not ordinal(known):
                share = sum(compared(value) in known for value in values) / len(values)
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


def is_broken(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether numbers that are out of order are so by half as much as others are in order: where they lie close
    together, one or the other is the larger by chance."""
    pairs = [(as_number(a), as_number(b)) for a, b in zip(left, right, strict=True)]
    steps = [b - a for a, b in pairs if a is not None and b is not None]
    broken, whole = (sorted(abs(step) for step in steps if (step < 0) is wrong) for wrong in (True, False))
    return not broken or 2 * broken[len(broken) // 2] >= whole[len(whole) // 2]


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
