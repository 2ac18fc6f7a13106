"""How many rows would hold what an earlier one holds by chance alone: only more than that are copies.

Rows of a few measures, or of classes that go together, agree here and there without anybody having copied them. How
often is told by the rows that differ in one field alone: where a field's values agree with the share that they have in
the whole column, so many of these would have agreed in it too. Where rows come in clusters (all zeros, one model of a
car) values agree more often than that: as often as they do among rows that differ in another field.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

LEAST_DIFFERENT = 10  # pairs of rows that differ in two fields, for a share of those that agree in one of them


def alike_by_chance(columns: Mapping[str, Sequence[Any]]) -> float:
    """The rows that chance would make the same as an earlier one, in all of these columns; fewer than it would where
    even all columns but one leave little room."""
    if len(columns) < 2:
        return 0.0
    rows = dict.fromkeys(zip(*(coded(values, name) for name, values in columns.items()), strict=True))
    cells = list(zip(*rows, strict=True))  # of the rows that differ
    whole = [sum(row) for row in rows]
    without = [Counter(all_of - own for all_of, own in zip(whole, mine, strict=True)) for mine in cells]
    same = [sum((times / len(values)) ** 2 for times in Counter(values).values()) for values in columns.values()]
    expected = [
        (len(rows) - len(groups)) * share / (1 - share) if share < 1 else 0.0
        for groups, share in zip(without, same, strict=True)
    ]
    most = expected.index(max(expected))
    rest = [all_of - own for all_of, own in zip(whole, cells[most], strict=True)]
    agree = differ = 0
    for at, mine in enumerate(cells):
        if at != most:
            both = Counter(all_of - own for all_of, own in zip(rest, mine, strict=True))
            agree += pairs(without[at])
            differ += pairs(both) - pairs(without[most]) - pairs(without[at])
    clustered = (len(rows) - len(without[most])) * agree / differ if differ >= LEAST_DIFFERENT else 0.0
    return max(expected[most], clustered)


def pairs(groups: Counter[int]) -> int:
    return sum(size * (size - 1) // 2 for size in groups.values())


def coded(values: Sequence[Any], name: str) -> list[int]:
    """A number at random for each different value, so that sums over a row are equal where the values are (sums of
    Python's own hashes are not: those of neighbouring numbers are as far apart in one column as in another)."""
    draw = random.Random(name)
    codes = {value: draw.getrandbits(64) for value in dict.fromkeys(values)}
    return [codes[value] for value in values]
