"""Known faults, planted into any table, so that it can be measured what an audit finds: cell by cell, kind by kind.

    python -m bench.audits            what an audit finds of them

A table is a list of rows, each a mapping of field to text (None: no value). `plant` gives a
copy with faults, and the key.
"""

from __future__ import annotations

import datetime
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Row = dict[str, str | None]
Table = list[Row]
PLACEHOLDERS = ("N/A", "unknown", "-", "?", "null", "n/a")
SENTINELS = ("-1", "999", "9999", "-999")
FACTORS = (1000, 2.20462, 0.01, 0.393701, 100)


@dataclass(frozen=True)
class Fault:
    """One planted fault: its kind, the row (0-based, in the table with faults) and the fields that are wrong."""

    kind: str
    row: int
    fields: tuple[str, ...]


class Chance:
    """What the planters draw from: the table, what its fields are, and a random source with a seed."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.random = [dict(row) for row in table], random.Random(seed)
        self.fields = list(table[0])
        self.values = {name: [row[name] for row in table if row[name]] for name in self.fields}
        self.counts = {name: Counter(values) for name, values in self.values.items()}
        self.numbers = self._those(lambda v: re.fullmatch(r"-?\d+(\.\d+)?", v))
        self.dates = self._those(lambda v: re.fullmatch(r"\d{4}-\d\d-\d\d", v))
        self.words = [n for n in self.fields if n not in self.numbers and n not in self.dates and self.values[n]]
        self.classes = [n for n in self.words if len(self.counts[n]) <= max(2, len(table) / 20)]
        self.codes = [
            n for n in self.words if sum(bool(re.search(r"\d", v)) for v in self.values[n]) > 0.9 * len(self.values[n])
        ]
        self.measures = [n for n in self.numbers if len(self.counts[n]) > 20 and not self.is_key(n)]

    def _those(self, test: Callable[[str], object]) -> list[str]:
        return [n for n in self.fields if self.values[n] and all(map(test, self.values[n]))]

    def is_key(self, name: str) -> bool:
        return len(self.counts[name]) == len(self.table)

    def row(self) -> int:
        return self.random.randrange(len(self.table))

    def cell(self, names: Sequence[str]) -> tuple[int, str, str] | None:
        """A row and one of these fields in which it has a value."""
        for _ in range(50):
            row = self.row()
            name = self.random.choice(names) if names else None
            if name and self.table[row][name]:
                return row, name, str(self.table[row][name])
        return None


def missing(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    whole = [name for name in chance.fields if len(chance.values[name]) == len(chance.table)]
    cell = chance.cell(whole)
    return [(cell[0], cell[1], None)] if cell else []


def disguised(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell([*chance.words, *chance.measures, *chance.dates])
    if not cell:
        return []
    row, name, _ = cell
    choices = PLACEHOLDERS
    if name in chance.dates:
        choices = ("1900-01-01", "9999-12-31")
    elif name in chance.measures:
        low, high = (pick(float(value) for value in chance.values[name]) for pick in (min, max))
        choices = [each for each in SENTINELS if not low <= float(each) <= high] or PLACEHOLDERS
    return [(row, name, chance.random.choice(choices))]


def typo(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell([name for name in chance.classes if name not in chance.codes])
    if not cell or len(cell[2]) < 5:
        return []
    row, name, value = cell
    at = chance.random.randrange(1, len(value) - 1)
    ways = (
        value[:at] + value[at + 1 :],
        value[:at] + value[at] + value[at:],
        value[:at] + value[at + 1] + value[at] + value[at + 2 :],
    )
    changed = chance.random.choice(ways)
    return [(row, name, changed)] if changed not in chance.counts[name] else []


def case(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell([name for name in chance.classes if name not in chance.codes])
    changed = cell and chance.random.choice((cell[2].upper(), cell[2].lower()))
    return [(cell[0], cell[1], changed)] if cell and changed not in chance.counts[cell[1]] else []


def spaces(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell(chance.words)
    return [(cell[0], cell[1], chance.random.choice((f" {cell[2]}", f"{cell[2]} ")))] if cell else []


def swapped(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    """Two fields of different sets of words hold each other's value."""
    if len(chance.classes) < 2:
        return []
    row = chance.row()
    left, right = chance.random.sample(chance.classes, 2)
    a, b = chance.table[row][left], chance.table[row][right]
    if not a or not b or b in chance.counts[left] or a in chance.counts[right]:
        return []
    return [(row, left, b), (row, right, a)]


def unit(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell(chance.measures)
    if not cell or not float(cell[2]):
        return []
    row, name, value = cell
    low, high = (pick(float(each) for each in chance.values[name]) for pick in (min, max))
    changed = float(value) * chance.random.choice(FACTORS)
    return [(row, name, f"{changed:.4g}")] if not low <= changed <= high else []


def outlier(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell(chance.measures)
    if not cell:
        return []
    numbers = [float(value) for value in chance.values[cell[1]]]
    far = max(numbers) + chance.random.uniform(4, 20) * (max(numbers) - min(numbers))
    return [(cell[0], cell[1], f"{far:.6g}")]


def duplicate(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    """A row is written over by a copy of an earlier one; its key too where it has one."""
    first, second = sorted((chance.row(), chance.row()))
    return [(second, name, chance.table[first][name]) for name in chance.fields] if first != second else []


def order(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    """The end lies before the beginning, where one field of dates is never before another."""
    row = chance.table[chance.row()]
    index = chance.table.index(row)
    for left in chance.dates:
        for right in chance.dates:
            if (
                left != right
                and all((r[left] or "") <= (r[right] or "9") for r in chance.table[:200])
                and row[left] != row[right]
            ):
                return [(index, left, row[right]), (index, right, row[left])]
    return []


def date_format(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell(chance.dates)
    if not cell:
        return []
    day = datetime.date.fromisoformat(cell[2])
    return [(cell[0], cell[1], chance.random.choice((f"{day:%d/%m/%Y}", f"{day:%d.%m.%Y}", f"{day:%m-%d-%y}")))]


def code_format(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell(chance.codes)
    if not cell:
        return []
    value = cell[2]
    changed = chance.random.choice((value[:-1], value + "0", re.sub(r"[-/ ]", "", value), value.replace("-", "/")))
    return [(cell[0], cell[1], changed)] if changed != value and changed else []


def number_as_text(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell(chance.measures)
    if not cell:
        return []
    return [
        (cell[0], cell[1], chance.random.choice((f"{cell[2]} kg", cell[2].replace(".", ",") + ",", f"ca. {cell[2]}")))
    ]


def future(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    cell = chance.cell(chance.dates)
    return (
        [(cell[0], cell[1], f"{int(cell[2][:4]) + chance.random.choice((80, 100, 200))}{cell[2][4:]}")] if cell else []
    )


def encoding(chance: Chance) -> Iterable[tuple[int, str, str | None]]:
    able = [name for name in chance.words if any(not value.isascii() for value in chance.values[name][:500])]
    for _ in range(30):
        cell = chance.cell(able)
        if cell and not cell[2].isascii():
            return [(cell[0], cell[1], cell[2].encode("utf-8").decode("cp1252", "replace"))]
    return []


PLANTERS = {
    "missing": missing,
    "disguised missing": disguised,
    "typo": typo,
    "case": case,
    "spaces": spaces,
    "swapped cells": swapped,
    "wrong unit": unit,
    "outlier": outlier,
    "duplicate": duplicate,
    "order of dates": order,
    "date format": date_format,
    "code format": code_format,
    "number as text": number_as_text,
    "impossible date": future,
    "encoding": encoding,
}


def plant(table: Table, kinds: Sequence[str], each: int, seed: int = 1) -> tuple[Table, list[Fault]]:
    """Plant `each` faults of every kind that the table can have, in rows that have none yet."""
    chance = Chance(table, seed)
    faults: list[Fault] = []
    touched: set[int] = set()
    for kind in kinds:
        planted = tries = 0
        while planted < each and tries < 60 * each:
            tries += 1
            changes = [c for c in PLANTERS[kind](chance) if chance.table[c[0]][c[1]] != c[2] or kind == "duplicate"]
            if not changes or changes[0][0] in touched:
                continue
            for row, name, value in changes:
                chance.table[row][name] = value
            touched.add(changes[0][0])
            faults.append(Fault(kind, changes[0][0], tuple(name for _, name, _ in changes)))
            planted += 1
    return chance.table, faults


def break_references(table: Table, field: str, each: int, seed: int = 1) -> tuple[Table, list[Fault]]:
    """Give rows a reference that no other record can have: the same pattern, beyond the last."""
    copy, draw = [dict(row) for row in table], random.Random(seed)
    faults = []
    for number, row in enumerate(draw.sample(range(len(copy)), each)):
        value = str(copy[row][field])
        digits = len(re.search(r"\d+$", value)[0])
        copy[row][field] = value[:-digits] + str(10**digits - 1 - number).zfill(digits)
        faults.append(Fault("broken reference", row, (field,)))
    return copy, faults


def scores(faults: Sequence[Fault], cells: Iterable[tuple[int, str]]) -> dict[str, tuple[float, float, float]]:
    """Return (precision, recall, F1) of the cells that were called wrong: for "all", and for each kind its own recall
    with the precision of all, since a cell that is called wrong for nothing belongs to no kind.

    A fault of several cells (a copy, swapped cells) is found when one of them is called wrong.
    """
    called = set(cells)
    wrong = {(fault.row, name) for fault in faults for name in fault.fields}
    precision = len(called & wrong) / len(called) if called else 1.0
    found = {}
    for kind in (*dict.fromkeys(fault.kind for fault in faults), "all"):
        mine = [fault for fault in faults if kind in (fault.kind, "all")]
        recall = sum(any((f.row, name) in called for name in f.fields) for f in mine) / max(1, len(mine))
        found[kind] = (precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0)
    return found
