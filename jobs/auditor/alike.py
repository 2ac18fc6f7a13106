"""How many rows would hold what an earlier one holds by chance alone: only more than that are copies.

Rows of a few measures, or of classes that go together, agree here and there without anybody having copied them. How
often is told by the rows that differ in one field alone: where a field's values agree with the share that they have in
the whole column, so many of these would have agreed in it too.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any


def alike_by_chance(columns: Mapping[str, Sequence[Any]]) -> float:
    """The rows that chance would make the same as an earlier one, in all of these columns; fewer than it would where
    even all columns but one leave little room."""
    if len(columns) < 2:
        return 0.0
    cells = [coded(values, name) for name, values in columns.items()]
    whole = [sum(row) for row in zip(*cells, strict=True)]
    different = len(set(whole))
    expected = 0.0
    for mine, values in zip(cells, columns.values(), strict=True):
        groups = len({all_of - own for all_of, own in zip(whole, mine, strict=True)})
        same = sum((times / len(values)) ** 2 for times in Counter(values).values())
        if same < 1:
            expected = max(expected, (different - groups) * same / (1 - same))
    return expected


def coded(values: Sequence[Any], name: str) -> list[int]:
    """A number at random for each different value, so that sums over a row are equal where the values are (sums of
    Python's own hashes are not: those of neighbouring numbers are as far apart in one column as in another)."""
    draw = random.Random(name)
    codes = {value: draw.getrandbits(64) for value in dict.fromkeys(values)}
    return [codes[value] for value in values]
