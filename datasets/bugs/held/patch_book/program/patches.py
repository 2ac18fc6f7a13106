"""Patches to a list of lines: read them, apply them, take them back.

A patch is a list of hunks. A hunk says at which line (from 1, counted in the old text) old lines are
replaced by new ones:

    @12
    -old line
    +new line
    +another one
"""


class PatchError(ValueError):
    pass


class Hunk:
    def __init__(self, line, old, new):
        self.line = line
        self.old = list(old)
        self.new = list(new)

    @property
    def growth(self):
        return len(self.new) - len(self.old)

    def __eq__(self, other):
        return (self.line, self.old, self.new) == (other.line, other.old, other.new)

    def __repr__(self):
        return f"Hunk({self.line}, {self.old}, {self.new})"


def read_patch(text):
    hunks = []
    for row in text.splitlines():
        if row.startswith("@"):
            hunks.append(Hunk(int(row[1:]), [], []))
        elif row[:1] in ("-", "+") and hunks:
            side = hunks[-1].old if row[0] == "-" else hunks[-1].new
            side.append(row[1:])
        elif row.strip():
            raise PatchError(f"cannot read {row!r}")
    return hunks


def write_patch(hunks):
    rows = []
    for hunk in hunks:
        rows.append(f"@{hunk.line}")
        rows += [f"-{line}" for line in hunk.old]
        rows += [f"+{line}" for line in hunk.new]
    return "\n".join(rows)


def apply(lines, hunks):
    """The lines with all hunks applied; the lines given are not changed."""
    result = list(lines)
    offset = 0
    for hunk in sorted(hunks, key=lambda hunk: hunk.line):
        start = hunk.line + offset
        end = start + len(hunk.old)
        if result[start:end] != hunk.old:
            raise PatchError(f"line {hunk.line} is not what the patch expects")
        result[start:end] = hunk.new
        offset = hunk.growth
    return result


def inverse(hunks):
    """The patch that takes another one back."""
    back = []
    offset = 0
    for hunk in sorted(hunks, key=lambda hunk: hunk.line):
        back.append(Hunk(hunk.line + offset, hunk.new, hunk.old))
        offset += hunk.growth
    return back


def summary(hunks):
    added = sum(len(hunk.new) for hunk in hunks)
    removed = sum(len(hunk.old) for hunk in hunks)
    return f"{len(hunks)} places, {added} lines added, {removed} removed"
