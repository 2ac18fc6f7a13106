"""What the values of one field look like: kinds, frequent and rare values, patterns, range, look-alikes."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reach.database.database import Counts

SHOWN = 12  # values and patterns of each sort
LOOK_ALIKES = 40
GAPS = 4  # of each side
COMPARED = 5_000  # different values; with more, nothing is a typo of anything
LEAST = 3  # times that a value stands which another may be a typo of
RARER = {1: 3, 2: 4, 3: 10}  # by how much more often, where the typo stands once, twice, more often
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
BEFORE_TAIL = " +-.,0123456789"
STAND_IN = re.compile(r"-?9{2,}|-1|-9")  # numbers that people write for none
FACTORS = (1000.0, 100.0, 60.0, 10.0, 3.28084, 2.54, 2.20462, 1.60934)  # between units of the same measure
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
    the frequent value it looks like, times of each), `typos` how many there are that differ in letters, the most times
    that one of them stands, and how many other values stand no more often; `signs` count values that look damaged;
    `apart` are numbers that people write for none and that lie apart from all others, left out of `range`; `tails` is
    what stands behind the number where nearly all values are one with something behind it."""

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
    typos: dict[str, int]
    range: dict[str, Any]
    signs: dict[str, int]
    apart: list[Any]
    tails: list[tuple[str, int]]

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
    near = look_alikes(counts)
    usual, apart = without_stand_ins(counts)
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
        near=near[:LOOK_ALIKES],
        typos=typos_among(near, counts),
        range=range_of(usual),
        signs={sign: count for sign, seen in SIGNS.items() if (count := sum(counts[v] for v in counts if seen(v)))},
        apart=apart,
        tails=tails_of(counts),
    )


def tails_of(counts: Counter[Any]) -> list[tuple[str, int]]:
    """What stands behind numbers ("12 oz", "12.5 OZ."), each with how often; nothing where it is no small set."""
    texts = [(str(value), times) for value, times in counts.items() if re.match(r"[-+]?\d", str(value))]
    tails: Counter[str] = Counter()
    for text, times in texts:
        tails[text.lstrip(BEFORE_TAIL)] += times
    is_set = 1 < len(tails) <= SHOWN and not any(re.search(r"\d", tail) for tail in tails)
    return tails.most_common() if is_set and tails.total() >= 0.8 * counts.total() else []


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
    unit: dict[str, Any] = {}
    if not isinstance(ordered[0][0], str) and (parted := other_unit(ordered)):
        side, at, factor = parted
        first = ordered[at][0] if side == "high" else ordered[at - 1][0]
        fewer, ordered = (ordered[at:], ordered[:at]) if side == "high" else (ordered[:at], ordered[at:])
        unit = {"unit": {"side": side, "first": first, "factor": factor, "count": sum(times for _, times in fewer)}}
    marks = {"min": 0.0, "p1": 0.01, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p99": 0.99, "max": 1.0}
    found, total, at = {}, sum(times for _, times in ordered), 0
    passed = ordered[0][1]
    for name, share in marks.items():
        while passed <= share * (total - 1) and at + 1 < len(ordered):
            at += 1
            passed += ordered[at][1]
        found[name] = ordered[at][0]
    edges = {"lowest": [value for value, _ in ordered[:5]], "highest": [value for value, _ in ordered[-5:]]}
    gaps = {} if isinstance(found["p50"], str) else {"gaps": gaps_of(ordered, found["p50"], total)}
    return {**found, **edges, **gaps, **unit}


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


def without_stand_ins(counts: Counter[Any]) -> tuple[Counter[Any], list[Any]]:
    """The values without numbers that stand for none, and these: far from all others, or far more frequent than any."""
    numbers = {value: number for value in counts if (number := as_number(value)) is not None}
    able = [value for value, number in numbers.items() if STAND_IN.fullmatch(f"{number:g}")]
    rest = sorted(numbers[value] for value in numbers if value not in able)
    if not able or len(rest) < 8:
        return counts, []
    width = rest[-1] - rest[0]
    most = max(counts[value] for value in numbers if value not in able)
    found = []
    for value in able:
        gap = max(rest[0] - numbers[value], numbers[value] - rest[-1])
        is_frequent = len(rest) > 20 and counts[value] >= max(5, 5 * most)
        if gap > width / 2 or (numbers[value] < 0 <= rest[0] and counts[value] > 1) or is_frequent:
            found.append(value)
    return Counter({value: times for value, times in counts.items() if value not in found}), found


def other_unit(ordered: list[tuple[float, int]]) -> tuple[str, int, float] | None:
    """Where numbers part into two that are alike but for a factor: the side of the fewer ("low" or "high"), the place
    of the first number above the gap, and the factor. They are alike when a factor brings the quartiles together."""
    total = sum(times for _, times in ordered)
    if len(ordered) < 24 or ordered[0][0] <= 0:
        return None
    logs = [math.log(value) for value, _ in ordered]
    gaps = sorted(((logs[at] - logs[at - 1], at) for at in range(5, len(logs) - 4)), reverse=True)[:3]
    inner = gaps[-1][0]
    for width, at in gaps[:2]:
        count = sum(times for _, times in ordered[at:])
        if min(count, total - count) < max(8, 0.03 * total) or width < 2 * inner:
            continue
        low, high = quartiles(ordered[:at]), quartiles(ordered[at:])
        factor = min(FACTORS, key=lambda each: abs(math.log(high[1] / low[1] / each)))
        spreads = sorted(math.log(each[2] / each[0]) for each in (low, high))
        spread = max(0.1, spreads[1])
        apart = [abs(math.log(above / factor / below)) for above, below in zip(high, low, strict=True)]
        is_wide = width >= 0.4 * math.log(factor)
        if is_wide and spreads[0] >= 0.3 * spreads[1] and max(apart) <= 0.35 * spread:
            return ("high" if 2 * count < total else "low"), at, factor
    return None


def quartiles(ordered: Sequence[tuple[float, int]]) -> list[float]:
    total, passed, found = sum(times for _, times in ordered), 0, []
    for value, times in ordered:
        passed += times
        while len(found) < 3 and passed >= (len(found) + 1) * total / 4:
            found.append(float(value))
    return found


def look_alikes(counts: Counter[Any]) -> list[tuple[str, str, int, int]]:
    """Return values that are another, more frequent one but for capitals and spaces, and rare ones that are one letter
    or two neighbours away from a value far more frequent."""
    texts = {value: times for value, times in counts.items() if isinstance(value, str) and kind_of(value) == "text"}
    by_word: defaultdict[str, list[str]] = defaultdict(list)
    for value in texts:
        by_word[bare(value)].append(value)
    found = []
    styles: Counter[str] = Counter()
    for value, times in texts.items():
        styles[capitals(value)] += times
    for same in by_word.values():
        likely = max(same, key=lambda value: (value == value.strip(), styles[capitals(value)], texts[value], value))
        found += [(value, likely, texts[value], texts[likely]) for value in same if differs(value, likely, texts)]
    if not texts or len(texts) > COMPARED:
        return found[:LOOK_ALIKES]
    together = {word: sum(texts[value] for value in same) for word, same in by_word.items()}
    by_trace: defaultdict[str, list[str]] = defaultdict(list)
    for word, times in together.items():
        if times >= LEAST:
            for trace in traces(word):
                by_trace[trace].append(word)
    for word, same in by_word.items():
        times = together[word]
        near = {other for trace in traces(word) for other in by_trace.get(trace, ()) if other != word}
        near = {other for other in near if together[other] >= RARER[min(times, 3)] * times and close(word, other)}
        if near:
            likely = max(near, key=lambda other: together[other])
            spelt = max(by_word[likely], key=lambda value: texts[value])
            found += [(value, spelt, texts[value], together[likely]) for value in same]
    typos = [pair for pair in found if bare(pair[0]) != bare(pair[1])]
    many = 2 * len(typos) > len(texts)
    found = [pair for pair in found if pair not in typos or many or is_long(*pair)]
    return sorted(found, key=lambda pair: (pair[3] / pair[2], pair[0]), reverse=True)


def is_long(value: str, likely: str, times: int, usual: int) -> bool:
    """Whether a word has so many letters that another one hardly differs from it in one alone."""
    return len(likely) > 4 or (len(value) > 4 and usual >= 20 * times)


def typos_among(near: Sequence[tuple[str, str, int, int]], counts: Counter[Any]) -> dict[str, int]:
    """How many values are misspelt, the most times one of them stands, and how many others stand no more often."""
    misspelt = {value: times for value, likely, times, _ in near if bare(value) != bare(likely)}
    if not misspelt:
        return {}
    known = {value for value, *_ in near}
    most = max(misspelt.values())
    others = sum(times <= most for value, times in counts.items() if value not in known and len(str(value)) > 3)
    return {"count": len(misspelt), "most": most, "others": others}


def differs(value: str, likely: str, texts: Mapping[str, int]) -> bool:
    """Whether a value of the same letters is a careless one, and no other name (LaFayette, Lafayette)."""
    is_careless = capitals(value) != "mixed" or texts[likely] >= 3 * texts[value] or value != value.strip()
    return value != likely and is_careless


def capitals(text: str) -> str:
    return "upper" if text.isupper() else "lower" if text.islower() else "title" if text.istitle() else "mixed"


def bare(text: str) -> str:
    """A text without what a careless hand changes: capitals, and spaces around."""
    return text.strip().casefold()


def traces(text: str) -> set[str]:
    """The text, and all that it becomes without one of its letters: two texts one letter apart share one."""
    return {text, *(text[:at] + text[at + 1 :] for at in range(len(text)))} if len(text) < 60 else {text}


def close(left: str, right: str) -> bool:
    """Whether at most one letter is missing, added, wrong, or two neighbours changed places; digits may not differ."""
    if len(left) < 4 or re.sub(r"\D", "", left) != re.sub(r"\D", "", right):
        return False
    start = common(left, right)
    end = min(common(left[::-1], right[::-1]), min(len(left), len(right)) - start)
    a, b = left[start : len(left) - end], right[start : len(right) - end]
    word = re.search(r"[^\W\d_]*$", right[:start])[0] + re.match(r"[^\W\d_]*", right[start:])[0]  # type: ignore[index]
    if len(word) < (4 if re.search(r"\d", right) else 2):
        return False  # a part of a code, where each letter counts: answer_y, answer_n
    return len(a) <= 1 and len(b) <= 1 or len(a) == 2 and a == b[::-1]


def common(left: Iterable[str], right: Iterable[str]) -> int:
    """How many first letters two texts share."""
    same = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        same += 1
    return same
