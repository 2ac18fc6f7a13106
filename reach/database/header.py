"""Whether the first line of a file holds names or data: each of its cells against the column below it.

Names are what most files begin with, so a line without any number is names. Numbers are names, too, in many tables
(`country,1990,1991`), and data in those that have no names: the columns decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

FEW = 2  # different cells of a column of words for each that stands there twice: then it is a set of words
BY_CHANCE = 0.01  # of the rows count up as the first line does: it is none of them
Number = Callable[[str], float | None]
NOTE = "; put a line of names above it if that is wrong."


def is_header(first: Sequence[str], rows: Sequence[Sequence[str]], number: Number) -> tuple[bool, str]:
    """Whether a first line is names, and a sentence on why where it holds a number ("" where not). `number` reads a
    cell, and gives None for what is none."""
    values = [number(cell) for cell in first]
    if all(value is None for value in values):
        return True, ""
    columns = [[row[at] for row in rows if len(row) > at and row[at]] for at in range(len(first))]
    spelt = [cell for cell, value in zip(first, values, strict=True) if value is not None]
    if len(set(spelt)) < len(spelt):
        return False, f"read as without a header, because a number stands twice in its first line{NOTE}"
    if counts_up(values, rows, number):
        return True, f"its first line is read as names, because the numbers in it count up and those below do not{NOTE}"
    votes = [vote(cell, column, number) for cell, column in zip(first, columns, strict=True) if cell.strip()]
    other, alike = votes.count(True), votes.count(False)
    if other > alike:
        why = f"{other} of its {len(first)} cells are unlike what stands below them, and {alike} are like it"
        return True, f"its first line is read as names, because {why}{NOTE}"
    why = f"{alike} of the {len(first)} cells of its first line are like what stands below them, and {other} are not"
    return False, f"read as without a header, because {why}{NOTE}"


def vote(cell: str, column: Sequence[str], number: Number) -> bool | None:
    """Whether a cell is unlike the column below it: words above numbers, a number above words, or far from all others;
    a word that stands nowhere in a set of words. None where that cannot be told."""
    values = [value for each in column if (value := number(each)) is not None]
    mine = number(cell)
    if column and 2 * len(values) > len(column):
        low, high = min(values), max(values)
        return True if mine is None else not 2 * low - high <= mine <= 2 * high - low if high > low else None
    if mine is not None:
        return True if column else None
    return cell not in column if FEW * len(set(column)) < len(column) else None


def counts_up(values: Sequence[float | None], rows: Sequence[Sequence[str]], number: Number) -> bool:
    """Whether the numbers of the first line rise from cell to cell, three or more of them or by one each, as hardly any
    row does in the same columns."""
    places = [at for at, value in enumerate(values) if value is not None]

    def rises(row: Sequence[float | None]) -> bool:
        told = [each for each in row if each is not None]
        steps = [b - a for a, b in zip(told, told[1:], strict=False)]
        many = len(places) > 2
        return len(told) == len(places) and bool(steps) and all(step > 0 if many else step == 1 for step in steps)

    if not rises([values[at] for at in places]):
        return False
    below = [[number(row[at]) if len(row) > at else None for at in places] for row in rows]
    return bool(below) and sum(map(rises, below)) <= BY_CHANCE * len(below)
