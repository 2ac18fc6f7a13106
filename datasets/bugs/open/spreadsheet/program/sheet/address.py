"""Cell names: 'B7' is column 2, row 7; 'AA1' is column 27."""

import re

from .errors import FormulaError

NAME = re.compile(r"([A-Z]+)([1-9][0-9]*)$")


def split_name(name):
    match = NAME.match(name)
    if not match:
        raise FormulaError(f"not a cell: {name}")
    column = 0
    for letter in match.group(1):
        column = column * 26 + ord(letter) - ord("A") + 1
    return column, int(match.group(2))


def join_name(column, row):
    letters = ""
    while column:
        column, rest = divmod(column, 26)
        letters = letters + chr(ord("A") + rest)
    return f"{letters}{row}"


def cells_between(first, last):
    """All names of a block, row by row; corners in any order."""
    (c1, r1), (c2, r2) = split_name(first), split_name(last)
    columns = range(min(c1, c2), max(c1, c2) + 1)
    rows = range(min(r1, r2), max(r1, r2) + 1)
    return [join_name(column, row) for row in rows for column in columns]
