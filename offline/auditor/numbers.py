"""Suspicions about numbers: values that stand for none, text among them, outliers, units, signs."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from offline.auditor.spelling import among, as_text, is_number, is_numeric_type, number, rows_where
from offline.auditor.suspicion import Suspicion
from offline.auditor.words import PLACEHOLDERS, SENTINELS

Stats = dict[str, Any]
NEVER_NEGATIVE = re.compile(
    r"(^|[_. ])(age|price|cost|count|number|quantity|weight|height|length|width|size|rate|duration|nights)([_. ]|$)",
    re.I,
)
CODE = re.compile(
    r"(^|[_. ])(id|code|zip|zipcode|postal|postcode|plz|phone|telephone|tel|fax|mobile|provider|npi|fips|isbn|ssn"
    r"|account|iban|number|no|nr|key|lat|latitude|lon|lng|longitude)([_. ]|$)|(Id|Code|Number|Phone|Zip)$",
    re.I,
)
METRIC, IMPERIAL = (1000, 100, 60, 10), (3.28084, 2.54, 2.20462, 1.60934)  # from a unit to another, and back
FACTORS = (*METRIC, *IMPERIAL, *(1 / factor for factor in reversed((*METRIC, *IMPERIAL))))
MOST_COVERED = 0.8  # of all numbers by some factor: beyond, a factor that fits says nothing
OFTEN = 5  # rows of one pattern, which errors hardly share
FENCE = 3.5  # widths of the middle half, beyond it


def sentinels(stats: Stats) -> Iterator[Suspicion]:
    fences = fences_of(stats)
    seen = {value for value, _ in stats["top"]}
    seen |= {*stats["range"].get("lowest", ()), *stats["range"].get("highest", ())}
    found = [value for value in SENTINELS if fences and value in seen and apart_from(value, fences)]
    if 0 in found and not is_hole(stats["range"]):
        found.remove(0)  # the smallest of values that begin near it
    found = [value for value in found if value >= 0 or not has_negatives(stats["range"]["lowest"])]
    often = {value for value, times in stats["top"] if times > 0.1 * stats["rows"]}
    found = [value for value in found if value not in often]  # at that share only what lies apart from all others
    found = list(dict.fromkeys([*found, *(float(value) for value in stats["apart"])]))
    if found:
        shown = [int(value) if float(value).is_integer() else value for value in found]
        query = rows_where(stats, among(number(stats["sql"], stats), shown))
        yield Suspicion("sentinel", (stats["field"],), f"{shown} may stand for no value", query, 0.95)


def apart_from(value: float, fences: Fences) -> bool:
    """Nines stand above all that is usual, what is no more than nothing below it."""
    return value > fences.high if value > 0 else value < fences.low


def has_negatives(lowest: list[Any]) -> bool:
    """Whether numbers go below 0 anyway: then one below it stands for itself, unless it is apart from all others."""
    return any(value < 0 and value not in SENTINELS for value in lowest)


def is_hole(seen: Stats) -> bool:
    """Whether 0 is the smallest value and the next ones lie much further from it than from each other."""
    lowest = seen["lowest"]
    steps = sorted(b - a for a, b in itertools.pairwise(lowest[1:]))
    if seen["min"] != 0 or len(lowest) < 2:
        return False
    return bool(lowest[1] > max(0.3 * seen["p50"], 3 * steps[len(steps) // 2] if steps else 0))


def units(stats: Stats) -> Iterator[Suspicion]:
    """The smaller of two parts that are alike but for a factor between units."""
    unit = stats["range"].get("unit")
    if unit and is_measure(stats):
        value = number(stats["sql"], stats)
        side, factor = (">=", "{:g} times") if unit["side"] == "high" else ("<=", "1/{:g}")
        condition = f"{value} {side} {unit['first']} AND NOT {among(value, stats['apart'] or [-1])}"
        because = f"they are as the others, but about {factor.format(unit['factor'])} as much"
        yield Suspicion("unit", (stats["field"],), because, rows_where(stats, condition), 0.95)


def is_measure(stats: Stats) -> bool:
    """Whether numbers measure something: codes, phones and identifiers do not, nor does what is written with zeros in
    front."""
    pattern, times = stats["patterns"][0] if stats["patterns"] else ("", 0)
    same = pattern.strip("9") == "" and times > 0.8 * sum(stats["kinds"].values())
    padded = stats["kinds"].get("number as text", 0) >= times and len(f"{stats['range'].get('min', 0)}") < len(pattern)
    return not CODE.search(stats["field"]) and not (same and padded)


def disguised(stats: Stats) -> Iterator[Suspicion]:
    """Text in a field of numbers."""
    typed = stats["kinds"].get("number", 0)
    filled = sum(stats["kinds"].values())
    numbers = typed if typed > 0.5 * filled else stats["kinds"].get("number as text", 0)
    told = any(each["kind"] == "swapped sorts" for each in stats["related"])  # one cause
    told |= CODE.search(stats["field"]) is not None and any(is_code(*each) for each in stats["patterns"])
    if not is_numeric_type(stats) and 0.5 * filled <= numbers < filled and not told:
        sql = stats["sql"]
        words = among(f"lower(trim({as_text(sql)}))", PLACEHOLDERS)
        condition = f"{sql} IS NOT NULL AND NOT ({is_number(sql, stats)}) AND NOT {words}"
        yield Suspicion(
            "text in numbers", (stats["field"],), "a few values are no numbers", rows_where(stats, condition), 0.9
        )


def is_code(pattern: str, times: int) -> bool:
    """Whether some rows have a pattern of digits and letters, as the departments 2A and 2B among those with numbers."""
    return times >= OFTEN and re.fullmatch(r"[9Aa]*[Aa][9Aa]*", pattern) is not None and "9" in pattern


def outliers(stats: Stats) -> Iterator[Suspicion]:
    """What lies beyond a gap that is far wider than the way to it."""
    seen, fences = stats["range"], fences_of(stats)
    for side, gaps in seen["gaps"].items() if fences and is_measure(stats) else ():
        for last, first, _ in gaps:
            edges = [v for v in seen["lowest" if side == "low" else "highest"] if v not in SENTINELS]
            beyond = [v for v in edges if (v <= first if side == "low" else v >= first)]
            if not beyond or fences.low <= first <= fences.high or is_next(last, first):
                continue
            factor = unit_of(beyond, seen) if len(set(beyond)) > 1 else ""  # some factor fits any single number
            if not is_far(last, first, side, seen, known=bool(factor)):
                continue
            value = number(stats["sql"], stats)
            condition = f"{value} {'<=' if side == 'low' else '>='} {first} AND NOT {among(value, SENTINELS)}"
            because = f"nearly all are {'at least' if side == 'low' else 'at most'} {last}, then comes a gap"
            kind, because = ("unit", f"{because}; about {factor} times as much") if factor else ("outlier", because)
            yield Suspicion(kind, (stats["field"],), because, rows_where(stats, condition), 0.9)
            break


def is_next(last: float, first: float) -> bool:
    """Whether two whole numbers follow each other: nothing can lie between them, so there is no gap."""
    return abs(first - last) <= 1 and float(last).is_integer() and float(first).is_integer()


def is_far(last: float, first: float, side: str, seen: Stats, *, known: bool) -> bool:
    """Whether a gap is wide, measured by the way from the middle to it in steps of a quarter of the values."""
    middle = seen["p50"]
    quarter = abs(seen["p25" if side == "low" else "p75"] - middle) or abs(seen["p75"] - seen["p25"])
    way = max(1.0, abs(last - middle) / quarter)
    return (first - middle) / (last - middle) >= (1.5 if known else max(1.5, way**0.5))


def negative(stats: Stats) -> Iterator[Suspicion]:
    seen = stats["range"]
    fences = fences_of(stats)
    if not fences or not seen["min"] < 0 <= seen["p1"]:
        return
    if NEVER_NEGATIVE.search(stats["field"]) or (fences.low >= 0 and seen["p1"] > 0.25 * seen["p50"]):
        value = number(stats["sql"], stats)
        query = rows_where(stats, f"{value} < 0 AND NOT {among(value, [-1, -9, -99, -999, -9999])}")
        yield Suspicion("negative", (stats["field"],), "hardly any value is below 0", query, 0.8)


@dataclass(frozen=True)
class Fences:
    """Between `low` and `high` lie nearly all values of a healthy field; None: that side is open."""

    low: float
    high: float


def fences_of(stats: Stats) -> Fences | None:
    """How far numbers may lie from the middle half; on a logarithmic scale where they are lopsided."""
    seen = stats["range"]
    if not seen or isinstance(seen["min"], str) or stats["distinct"] < 8:
        return None
    low, middle, high = float(seen["p25"]), float(seen["p50"]), float(seen["p75"])
    if high <= low:
        return None
    lopsided = high - middle > 1.25 * (middle - low)
    if low > 0 and lopsided:
        width = math.log(high / low)
        return Fences(low * math.exp(-FENCE * width), high * math.exp(FENCE * width))
    return Fences(low - FENCE * (high - low), high + FENCE * (high - low))


def covered(width: float) -> float:
    """The share of all numbers, from the usual ones to 1,000 times as much, that some factor brings into a usual range
    of this width, all in logarithms."""
    ends = sorted(math.log(factor) for factor in FACTORS if factor > 1)
    return sum(min(width, b - a) for a, b in itertools.pairwise([*ends, ends[-1] + width])) / (ends[-1] + width)


def unit_of(values: list[Any], seen: dict[str, Any]) -> str:
    """The factor that brings all suspects into the usual range, "" where there is none."""
    usual = (float(seen["p1"]), float(seen["p99"]))
    if min(usual) <= 0 <= max(usual) and len(values) > 1:
        return ""  # anything small enough would fit
    if min(usual) > 0 and covered(math.log(max(usual) / min(usual))) > MOST_COVERED:
        return ""  # whatever the numbers, one of the factors would fit
    for factor in FACTORS:
        if all(min(usual) <= float(value) / factor <= max(usual) for value in values):
            return f"{factor:g}"
    return "1.8 (+32)" if all(min(usual) <= (float(v) - 32) / 1.8 <= max(usual) for v in values) else ""
