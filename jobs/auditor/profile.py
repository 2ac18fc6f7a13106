"""What the values of one field look like: kinds, frequent and rare values, patterns, range, look-alikes."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reach.database.database import Counts

SHOWN = 12  # values and patterns of each sort
LOOK_ALIKES = 40
GAPS = 4  # of each side
COMPARED = 5_000  # different values; with more, nothing is a typo of anything
FREQUENT = 5  # times, at least, that a value stands which another may be a typo of
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
DATE = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?")
CLASSES = (("0123456789", "9"), ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A"), ("abcdefghijklmnopqrstuvwxyz", "a"))
BROKEN = re.compile(
    "\u00c3[\u0080-\u00bf\u2018-\u201d\u2030]|\u00e2\u20ac|\u00c2[\u00a0-\u00bf]|\ufffd"
)  # UTF-8 read as Windows-1252
MARKS = str.maketrans({character: mark for characters, mark in CLASSES for character in characters})
SIGNS = {
    "spaces around or doubled": lambda value: isinstance(value, str) and value != re.sub(r"\s{2,}", " ", value.strip()),
    "broken encoding": lambda value: isinstance(value, str) and bool(BROKEN.search(value)),
}


@dataclass(frozen=True)
class Profile:
    """`top` and `rare` are (value, times); `patterns` have 9 for a digit, A and a for letters; `near` are (rare value,
    the frequent value it looks like, times of each); `signs` count values that look damaged."""

    rows: int
    sampled: bool
    null: int
    distinct: int
    kinds: dict[str, int]
    top: list[tuple[Any, int]]
    rare: list[tuple[Any, int]]
    patterns: list[tuple[str, int]]
    shapes: list[tuple[str, int]]
    near: list[tuple[str, str, int, int]]
    range: dict[str, Any]
    signs: dict[str, int]

    @property
    def null_share(self) -> float:
        return self.null / self.rows if self.rows else 0.0


def profile(counted: Counts) -> Profile:
    """Return the profile of a field's values."""
    counts = Counter({value: times for value, times in counted.times.items() if value is not None})
    ranked = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    kinds: Counter[str] = Counter()
    patterns: Counter[str] = Counter()
    shapes: Counter[str] = Counter()
    for value, times in counts.items():
        kinds[kind_of(value)] += times
        pattern = str(value)[:80].translate(MARKS)
        patterns[pattern] += times
        shapes[re.sub(r"(.)\1+", r"\1", pattern)] += times
    return Profile(
        rows=counted.rows,
        sampled=counted.sampled,
        null=counted.times.get(None, 0),
        distinct=len(counts),
        kinds=dict(kinds.most_common()),
        top=ranked[:SHOWN],
        rare=ranked[max(SHOWN, len(ranked) - SHOWN) :],
        patterns=patterns.most_common(SHOWN),
        shapes=shapes.most_common(SHOWN),
        near=look_alikes(counts),
        range=range_of(counts),
        signs={sign: count for sign, seen in SIGNS.items() if (count := sum(counts[v] for v in counts if seen(v)))},
    )


def kind_of(value: Any) -> str:
    """number, date or text; a text that reads as a number or a date says so ("number as text")."""
    if isinstance(value, (bool, int, float)):
        return "number"
    if not isinstance(value, str):
        return "text"
    if NUMBER.fullmatch(value.strip()):
        return "number as text"
    return "date" if DATE.fullmatch(value) else "text"


def range_of(counts: Counter[Any]) -> dict[str, Any]:
    """Quantiles of what most values are: numbers (also those spelt as text), else dates, else nothing."""
    numbers = Counter({number: times for value, times in counts.items() if (number := as_number(value)) is not None})
    dates = Counter({value: times for value, times in counts.items() if kind_of(value) == "date"})
    chosen = numbers if numbers.total() >= dates.total() else dates
    if chosen.total() < 0.5 * max(1, counts.total()):
        return {}
    ordered = sorted(chosen.items())
    marks = {"min": 0.0, "p1": 0.01, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p99": 0.99, "max": 1.0}
    found, total, at = {}, chosen.total(), 0
    passed = ordered[0][1]
    for name, share in marks.items():
        while passed <= share * (total - 1) and at + 1 < len(ordered):
            at += 1
            passed += ordered[at][1]
        found[name] = ordered[at][0]
    edges = {"lowest": [value for value, _ in ordered[:5]], "highest": [value for value, _ in ordered[-5:]]}
    gaps = {} if isinstance(found["p50"], str) else {"gaps": gaps_of(ordered, found["p50"], total)}
    return {**found, **edges, **gaps}


def gaps_of(ordered: Sequence[tuple[Any, int]], middle: float, total: int) -> dict[str, list[list[Any]]]:
    """The widest gaps in the lowest and in the highest twentieth, measured from the middle, the inner ones first: the
    last value before each, the first one beyond it, and how many rows lie beyond."""
    found = {}
    for side, values in (("low", ordered), ("high", ordered[::-1])):
        beyond, gaps = 0, []
        for (value, times), (inner, _) in itertools.pairwise(values):
            beyond += times
            if beyond > 0.05 * total or inner == middle or (inner - middle) * (value - middle) <= 0:
                break
            gaps.append(((value - middle) / (inner - middle), inner, value, beyond))
        widest = sorted(gaps, reverse=True)[:GAPS]
        found[side] = [list(gap[1:]) for gap in sorted(widest, key=lambda gap: -gap[3])]
    return found


def as_number(value: Any) -> float | int | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        return float(value)
    return None


def look_alikes(counts: Counter[Any]) -> list[tuple[str, str, int, int]]:
    """Return rare values that are one letter, two neighbours or the case away from a value ten times as frequent."""
    texts = {value: times for value, times in counts.items() if isinstance(value, str) and kind_of(value) == "text"}
    if not texts or len(texts) > COMPARED:
        return []
    by_trace: defaultdict[str, list[str]] = defaultdict(list)
    frequent = [value for value, times in texts.items() if times >= FREQUENT]
    for value in frequent:
        for trace in traces(value.casefold()):
            by_trace[trace].append(value)
    found = []
    for value, times in texts.items():
        near = {other for trace in traces(value.casefold()) for other in by_trace.get(trace, ()) if other != value}
        near = {other for other in near if texts[other] >= 10 * times and close(value.casefold(), other.casefold())}
        if near:
            likely = max(near, key=lambda other: texts[other])
            found.append((value, likely, times, texts[likely]))
    return sorted(found, key=lambda pair: (pair[3] / pair[2], pair[0]), reverse=True)[:LOOK_ALIKES]


def traces(text: str) -> set[str]:
    """The text, and all that it becomes without one of its letters: two texts one letter apart share one."""
    return {text, *(text[:at] + text[at + 1 :] for at in range(len(text)))} if len(text) < 60 else {text}


def close(left: str, right: str) -> bool:
    """Whether at most one letter is missing, added, wrong, or two neighbours changed places; digits may not differ."""
    if left == right:
        return True
    if len(left) < 4 or re.sub(r"\D", "", left) != re.sub(r"\D", "", right):
        return False
    start = common(left, right)
    end = min(common(left[::-1], right[::-1]), min(len(left), len(right)) - start)
    a, b = left[start : len(left) - end], right[start : len(right) - end]
    return len(a) <= 1 and len(b) <= 1 or len(a) == 2 and a == b[::-1]


def common(left: Iterable[str], right: Iterable[str]) -> int:
    """How many first letters two texts share."""
    same = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        same += 1
    return same
