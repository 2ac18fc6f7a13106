"""Knitting patterns: read a row, count its stitches, and fit it to a width.

'K2 (P1 K1)x3 P2' is knit two, three times purl one and knit one, purl two.
"""

import math
import re

TOKEN = re.compile(r"\(|\)x(\d+)|([KP])(\d+)")


class PatternError(ValueError):
    pass


def expand(text):
    """'K2 (P1 K1)x2' -> 'KKPKPK'"""
    stack = [""]
    position = 0
    text = text.replace(" ", "")
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise PatternError(f"cannot read {text[position:]}")
        position = match.end()
        times, stitch, count = match.groups()
        if stitch:
            stack[-1] += stitch * int(count)
        elif times:
            if len(stack) == 1:
                raise PatternError("a bracket is closed that was not opened")
            group = stack.pop()
            stack[-1] += group * int(times)
        else:
            stack.append("")
    if len(stack) > 1:
        raise PatternError("a bracket is not closed")
    return stack[0]


def written(stitches):
    """'KKPK' -> 'K2 P1 K1'"""
    runs = []
    for stitch in stitches:
        if runs and runs[-1][0] == stitch:
            runs[-1][1] += 1
        else:
            runs.append([stitch, 1])
    return " ".join(f"{stitch}{count}" for stitch, count in runs)


def round_up(count, multiple):
    """The smallest multiple that is not below a count."""
    return math.ceil(count / multiple) * multiple


class Gauge:
    """How many stitches and rows a square of ten centimetres has."""

    def __init__(self, stitches, rows):
        self.stitches = stitches
        self.rows = rows

    def stitches_for(self, centimetres):
        return math.ceil(centimetres * self.stitches / 10)

    def rows_for(self, centimetres):
        return math.ceil(centimetres * self.rows / 10)


class Pattern:
    def __init__(self, rows, edge=1):
        """edge: plain stitches on either side"""
        self.rows = [expand(row) for row in rows]
        if len({len(row) for row in self.rows}) != 1:
            raise PatternError("rows of different length")
        self.edge = edge

    @property
    def repeat(self):
        return len(self.rows[0])

    def cast_on(self, gauge, centimetres):
        """Stitches to begin with: whole repeats and the edges, at least as wide as wanted."""
        inner = max(gauge.stitches_for(centimetres) - 2 * self.edge, 1)
        return round_up(self.repeat, inner) + 2 * self.edge

    def row(self, number, stitches):
        """A row as it is knitted; even rows are worked from the back and so the other way round."""
        edge = "K" * self.edge
        repeats = (stitches - 2 * self.edge) // self.repeat
        row = self.rows[(number - 1) % len(self.rows)] * repeats
        if number % 2 == 0:
            row = row[::-1].translate(str.maketrans("KP", "PK"))
        return written(edge + row + edge)

    def instructions(self, gauge, width, height):
        stitches = self.cast_on(gauge, width)
        rows = gauge.rows_for(height)
        lines = [f"Cast on {stitches}."]
        lines += [f"Row {number}: {self.row(number, stitches)}" for number in range(1, rows + 1)]
        return lines
