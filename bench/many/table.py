"""Tables as plain text: as wide as they are, one row a line, the same on a terminal and in a file."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence

from bench.chance import wilson
from bench.record import Line, tokens_of

MOST_ROWS = 40  # of single tasks; past that the groups alone are told


def columns(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows under their headings; the first column stands to the left, the others to the right."""
    every = [tuple(headings), *map(tuple, rows)]
    widths = [max(len(row[at]) for row in every) for at in range(len(headings))]
    lines = ("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in every)
    return "\n".join(line.rstrip() for line in lines)


def by_group(lines: Sequence[Line], group: Callable[[Line], str], right: str = "solved") -> str:
    """How many of each group were right, with the 95 % interval of the share, seconds and tokens. Runs that were lost,
    or ended by a fault of the bench, say nothing of a model: they are counted by themselves."""
    names = list(dict.fromkeys(map(group, lines)))
    shown = [*names, "all"] if 1 < len(names) <= MOST_ROWS else ["all"]
    rows = [_row(name, [line for line in lines if name in ("all", group(line))]) for name in shown]
    headings = ("", "runs", right, "95 %", "seconds", "most", "tokens", "not made")
    kept = [at for at in range(len(headings)) if at < 4 or any(row[at] for row in rows)]
    return columns([headings[at] for at in kept], [[row[at] for at in kept] for row in rows])


def interval(right: int, tried: int) -> str:
    """`78-100`, in percent, where the true share lies with 95 % confidence."""
    low, high = wilson(right, tried)
    return f"{100 * low:.0f}-{100 * high:.0f}"


def made(line: Line) -> bool:
    """Whether a run came to its end. Records of before there were outcomes all did."""
    return line.get("outcome", "done") == "done"


def _row(name: str, lines: Sequence[Line]) -> list[str]:
    ended = [line for line in lines if made(line)]
    right = sum(bool(line["solved"]) for line in ended)
    seconds = [line["seconds"] for line in ended if "seconds" in line]
    tokens, lost = sum(map(tokens_of, lines)), len(lines) - len(ended)
    times = [f"{statistics.median(seconds):.1f}", f"{max(seconds):.1f}"] if seconds else ["", ""]
    told = [name, str(len(ended)), str(right), interval(right, len(ended)), *times]
    return [*told, f"{tokens:,}" if tokens else "", str(lost) if lost else ""]
