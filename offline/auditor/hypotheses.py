"""What could be wrong with a field, seen from its statistics: each suspicion is one query, the most surprising first."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from offline.auditor.documents import suspicions_of_documents
from offline.auditor.related import suspicions_of_relations
from offline.auditor.spelling import (
    DATE,
    among,
    as_text,
    is_number,
    is_numeric_type,
    later_copies,
    like_pattern,
    like_shape,
    literal,
    number,
    rows_where,
)
from offline.auditor.suspicion import Suspicion
from offline.auditor.words import NO_DATES, PLACEHOLDERS, SENTINELS

Stats = dict[str, Any]
SPELLINGS = (({"yes", "y", "true", "t"}, {"no", "n", "false", "f"}), ({"male", "m", "man"}, {"female", "f", "woman"}))
BROKEN = ("Ã©", "Ã¨", "Ã¼", "Ã¶", "Ã¤", "Ã±", "Ã³", "Ã¡", "Ã§", "Ã\xad", "ÃŸ", "â€", "Â°", "Â£", "Â ", "\ufffd")
IDENTIFIER = re.compile(
    r"(^|[_. ])(id|ids|code|no|nr|number|key|uuid|guid|ssn|isbn|email|e-mail|serial)$|[a-z]Id$", re.I
)
NEVER_NEGATIVE = re.compile(
    r"(^|[_. ])(age|price|cost|count|number|quantity|weight|height|length|width|size|rate|duration|nights|pages)([_. ]|$)",
    re.I,
)
FACTORS = (
    1000,
    100,
    60,
    10,
    3.28084,
    2.54,
    2.20462,
    1.60934,
    0.621371,
    0.453592,
    0.393701,
    0.3048,
    0.1,
    1 / 60,
    0.01,
    0.001,
)
FENCE = 3.5  # widths of the middle half, beyond it


@dataclass(frozen=True)
class Fences:
    """Between `low` and `high` lie nearly all values of a healthy field; None: that side is open."""

    low: float
    high: float


def suspicions(stats: Stats) -> list[Suspicion]:
    """Return what is worth a query, the most surprising first."""
    if stats["dialect"] == "mongo":
        return list(suspicions_of_documents(stats))
    looks = (ragged,) if stats["field"] in ("_cells", "_more") else LOOKS
    found = [suspicion for look in looks for suspicion in look(stats)]
    return sorted(found, key=lambda suspicion: -suspicion.surprise)


def missing(stats: Stats) -> Iterator[Suspicion]:
    share = stats["null"] / max(1, stats["rows"])
    if 0 < share <= 0.05 and stats["rows"] >= 20:
        because = f"{share:.2%} of the rows have no value, and all others have one"
        yield Suspicion("missing", (stats["field"],), because, rows_where(stats, f"{stats['sql']} IS NULL"), 1 - share)


def placeholders(stats: Stats) -> Iterator[Suspicion]:
    if not stats["kinds"].get("text"):
        return
    words = [
        word for word in PLACEHOLDERS if not (word in ("na", "no", "x") and stats["patterns"][0][0] in ("AA", "A"))
    ]
    usual = {str(value).strip().lower() for value, times in stats["top"] if times > 0.1 * stats["rows"]}
    condition = among(f"lower(trim({as_text(stats['sql'])}))", [word for word in words if word not in usual])
    yield Suspicion("placeholder", (stats["field"],), "words may stand for no value", rows_where(stats, condition), 0.9)


def sentinels(stats: Stats) -> Iterator[Suspicion]:
    fences = fences_of(stats)
    seen = {value for value, _ in stats["top"]} | {
        *stats["range"].get("lowest", ()),
        *stats["range"].get("highest", ()),
    }
    found = [value for value in SENTINELS if fences and value in seen and not fences.low <= value <= fences.high]
    if 0 in found and not (stats["range"]["min"] == 0 and stats["range"]["lowest"][1] > 0.3 * stats["range"]["p50"]):
        found.remove(0)  # the smallest of values that begin near it
    if found:
        condition = among(number(stats["sql"], stats), found)
        yield Suspicion(
            "sentinel", (stats["field"],), f"{found} may stand for no value", rows_where(stats, condition), 0.95
        )


def no_dates(stats: Stats) -> Iterator[Suspicion]:
    """A date that stands for none lies at the edge, with a gap before the next one."""
    seen = stats["range"]
    if not seen or not isinstance(seen["min"], str) or stats["distinct"] < 8:
        return
    wide = 0.05 * (day_of(seen["p99"]) - day_of(seen["p1"]))
    edges = [seen["lowest"][:3], seen["highest"][:-4:-1]]
    gaps = [(str(e)[:10], abs(day_of(e) - day_of(a)), abs(day_of(a) - day_of(b))) for e, a, b in edges]
    found = [edge for edge, gap, step in gaps if gap > max(wide, 5 * step)]
    found = [date for date in found if date in NO_DATES]
    if found:
        condition = among(f"substr({as_text(stats['sql'])}, 1, 10)", found)
        yield Suspicion(
            "sentinel", (stats["field"],), f"{found} may stand for no date", rows_where(stats, condition), 0.95
        )


def disguised(stats: Stats) -> Iterator[Suspicion]:
    """Text in a field of numbers."""
    typed = stats["kinds"].get("number", 0)
    filled = sum(stats["kinds"].values())
    numbers = typed if typed > 0.5 * filled else stats["kinds"].get("number as text", 0)
    if not is_numeric_type(stats) and 0.8 * filled <= numbers < filled:
        sql = stats["sql"]
        words = among(f"lower(trim({as_text(sql)}))", PLACEHOLDERS)
        condition = f"{sql} IS NOT NULL AND NOT ({is_number(sql, stats)}) AND NOT {words}"
        yield Suspicion(
            "text in numbers", (stats["field"],), "a few values are no numbers", rows_where(stats, condition), 0.9
        )


def dates(stats: Stats) -> Iterator[Suspicion]:
    filled, sql = sum(stats["kinds"].values()), stats["sql"]
    count = stats["kinds"].get("date", 0)
    if not filled or count < 0.8 * filled or stats["declared"].startswith(("date", "timestamp", "time")):
        return
    is_date = like_pattern(f"substr({as_text(sql)}, 1, 10)", DATE, stats["dialect"])
    if count < filled:
        words = among(f"lower(trim({as_text(sql)}))", PLACEHOLDERS)
        condition = f"{sql} IS NOT NULL AND NOT {is_date} AND NOT {words}"
        yield Suspicion(
            "date format", (stats["field"],), "a few dates are spelt another way", rows_where(stats, condition), 0.9
        )
    day = f"substr({as_text(sql)}, 1, 10)"
    wrong = {"sqlite": f"(date({day}) IS NULL OR date({day}) <> {day})", "duckdb": f"TRY_CAST({day} AS DATE) IS NULL"}
    if stats["dialect"] in wrong:
        condition = f"{is_date} AND {wrong[stats['dialect']]}"
        yield Suspicion("no such date", (stats["field"],), "a date may not exist", rows_where(stats, condition), 0.5)


def far_dates(stats: Stats) -> Iterator[Suspicion]:
    days = ordinals(stats)
    if not days:
        return
    field, sql = stats["field"], f"substr({as_text(stats['sql'])}, 1, 10)"
    today = datetime.date.today()
    is_date = like_pattern(sql, DATE, stats["dialect"])
    known = among(sql, NO_DATES)
    high = min(days.high, max(today.toordinal(), day_of(stats["range"]["p99"])))
    if day_of(stats["range"]["max"]) > high:
        limit = literal(datetime.date.fromordinal(int(high)).isoformat())
        query = rows_where(stats, f"{is_date} AND {sql} > {limit} AND NOT {known}")
        yield Suspicion("date too late", (field,), f"nearly all are at most {limit}", query, 0.95)
    if day_of(stats["range"]["min"]) < days.low:
        limit = literal(datetime.date.fromordinal(int(days.low)).isoformat())
        query = rows_where(stats, f"{is_date} AND {sql} < {limit} AND NOT {known}")
        yield Suspicion("date too early", (field,), f"nearly all are {limit} or later", query, 0.9)


def outliers(stats: Stats) -> Iterator[Suspicion]:
    """What lies beyond a gap that is far wider than the way to it."""
    seen, fences = stats["range"], fences_of(stats)
    for side, gaps in seen["gaps"].items() if fences else ():
        for last, first, count in gaps:
            edges = [v for v in seen["lowest" if side == "low" else "highest"] if v not in SENTINELS]
            beyond = [v for v in edges if (v <= first if side == "low" else v >= first)]
            if not beyond or fences.low <= first <= fences.high:
                continue
            factor = unit_of(beyond, seen)
            if not is_far(last, first, side, seen, known=bool(factor) and count > 1):
                continue
            value = number(stats["sql"], stats)
            condition = f"{value} {'<=' if side == 'low' else '>='} {first} AND NOT {among(value, SENTINELS)}"
            because = f"nearly all are {'at least' if side == 'low' else 'at most'} {last}, then comes a gap"
            kind, because = ("unit", f"{because}; about {factor} times as much") if factor else ("outlier", because)
            yield Suspicion(kind, (stats["field"],), because, rows_where(stats, condition), 0.9)
            break


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


def typos(stats: Stats) -> Iterator[Suspicion]:
    near = stats["near"]
    if not near or stats["distinct"] - len(near) > 0.1 * stats["rows"] or stats["distinct"] > 1000:
        return
    near = [
        pair for pair in near if pair[0].strip() != pair[1].strip()
    ]  # what differs in spaces is looked at elsewhere
    cases = [pair for pair in near if pair[0].strip().casefold() == pair[1].strip().casefold()]
    letters = [pair for pair in near if pair not in cases]
    lonely = [value for value, times in stats["rare"] if times <= 2 and value not in {pair[0] for pair in near}]
    if cases:
        shown = ", ".join(f"{pair[0]!r} for {pair[1]!r}" for pair in cases[:3])
        query = rows_where(stats, among(stats["sql"], [pair[0] for pair in cases]))
        yield Suspicion("case", (stats["field"],), f"{shown}", query, 0.9)
    if letters and len(lonely) <= len(letters) + 2:
        shown = ", ".join(f"{pair[0]!r} for {pair[1]!r}" for pair in letters[:3])
        query = rows_where(stats, among(stats["sql"], [pair[0] for pair in letters]))
        yield Suspicion("typo", (stats["field"],), shown, query, 0.9)


def strangers(stats: Stats) -> Iterator[Suspicion]:
    """Values of a small set that hardly ever stand, and are no typo: another spelling, or another field's value."""
    if stats["kinds"].get("text", 0) < 0.5 * sum(stats["kinds"].values()):
        return
    counts = [(value, times) for value, times in (*stats["top"], *stats["rare"]) if isinstance(value, str)]
    counts = [(value, times) for value, times in counts if not any(part in value for part in BROKEN)]
    near = {pair[0] for pair in stats["near"]}
    usual = [(value, times) for value, times in counts if times >= 0.01 * stats["rows"]]
    rare = [
        v
        for v, times in counts
        if times <= 0.003 * stats["rows"] and v not in near and v.strip().lower() not in PLACEHOLDERS
    ]
    known = {value.lower() for value, _ in usual}
    spelt = [v for v, times in counts if times < 0.2 * max(t for _, t in counts) and spelling_of(v.lower(), known)]
    if spelt:
        query = rows_where(stats, among(stats["sql"], spelt))
        yield Suspicion("spelling", (stats["field"],), f"{spelt} beside {sorted(known)}", query, 0.9)
    rare = [value for value in rare if value not in spelt]
    small = stats["distinct"] <= 24 and len(rare) < len(usual) and stats["rows"] >= 300
    if rare and small and sum(times for _, times in usual) >= 0.9 * stats["rows"]:
        query = rows_where(stats, among(stats["sql"], rare))
        yield Suspicion("stranger", (stats["field"],), f"{rare[:5]} stand hardly ever", query, 0.7)


def spelling_of(value: str, known: set[str]) -> bool:
    """Whether a value is another spelling of one that is usual: "y" where "yes" and "no" are."""
    pairs = [pair for pair in SPELLINGS if any(known & pair[0]) and any(known & pair[1])]
    return any(value not in known and value in side and side & known for pair in pairs for side in pair)


def formats(stats: Stats) -> Iterator[Suspicion]:
    """A code has few patterns; what has another is suspect."""
    filled = sum(stats["kinds"].values())
    if stats["kinds"].get("text", 0) < 0.5 * filled or filled < 50 or stats["kinds"].get("date", 0) > 0.5 * filled:
        return
    if sum(times for shape, times in stats["shapes"] if "@" in shape) > 0.5 * filled:
        text = as_text(stats["sql"])
        condition = f"({text} NOT LIKE '%_@_%._%' OR {text} LIKE '%@%@%' OR {text} LIKE '% %')"
        query = rows_where(stats, f"{condition} AND NOT {among(f'lower(trim({text}))', PLACEHOLDERS)}")
        yield Suspicion("format", (stats["field"],), "nearly all are addresses of electronic mail", query, 0.85)
        return
    for kind, spelt in (("patterns", like_pattern), ("shapes", like_shape)):
        usual, covered = [], 0
        for pattern, times in stats[kind]:
            if covered < 0.95 * filled:
                usual.append(pattern)
                covered += times
        if kind == "patterns" and len({re.sub(r"(.)\1+", r"\1", pattern) for pattern in usual}) < len(usual):
            continue  # of one shape in several lengths: the length is free
        wordy = any(not re.search(r"\d", pattern) and not re.fullmatch(r"[A\W]+", pattern) for pattern in usual)
        if (
            len(usual) > 4
            or (len(usual) > 2 and filled - covered > 0.005 * filled)
            or not 0.95 * filled <= covered < filled
            or (wordy and "@" not in usual[0])
        ):
            continue
        same = " OR ".join(spelt(stats["sql"], pattern, stats["dialect"]) for pattern in usual)
        words = among(f"lower(trim({as_text(stats['sql'])}))", PLACEHOLDERS)
        condition = f"{stats['sql']} IS NOT NULL AND NOT ({same}) AND NOT {words}"
        because = f"nearly all look like {' or '.join(usual)}"
        yield Suspicion("format", (stats["field"],), because, rows_where(stats, condition), 0.85)
        return


def letters(stats: Stats) -> Iterator[Suspicion]:
    sql = stats["sql"]
    if stats["signs"].get("spaces around or doubled"):
        condition = f"{sql} <> trim({sql}) OR {sql} LIKE '%  %'"
        yield Suspicion(
            "spaces", (stats["field"],), "spaces stand around a few values", rows_where(stats, condition), 0.9
        )
    if stats["signs"].get("broken encoding"):
        condition = " OR ".join(f"{sql} LIKE {literal(f'%{part}%')}" for part in BROKEN)
        yield Suspicion(
            "encoding", (stats["field"],), "UTF-8 was read as Windows-1252", rows_where(stats, condition), 0.95
        )


def unique(stats: Stats) -> Iterator[Suspicion]:
    filled = sum(stats["kinds"].values())
    named = IDENTIFIER.search(stats["field"])
    if filled >= 50 and named and 0.95 * filled <= stats["distinct"] < filled:
        query = later_copies(stats, [stats["sql"]], f"{stats['sql']} IS NOT NULL")
        yield Suspicion("not unique", (stats["field"],), "nearly every row has its own", query, 0.95)


def ragged(stats: Stats) -> Iterator[Suspicion]:
    if stats["field"] == "_cells" and stats["distinct"] > 1:
        usual = stats["top"][0][0]
        query = rows_where(stats, f"{stats['sql']} <> {usual}")
        yield Suspicion("ragged", ("_cells",), f"nearly all rows have {usual} cells", query, 0.99)


def fences_of(stats: Stats) -> Fences | None:
    """How far numbers may lie from the middle half; on a logarithmic scale where they are lopsided and hardly below 0."""
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


def unit_of(values: list[Any], seen: dict[str, Any]) -> str:
    """The factor that brings all suspects into the usual range, "" where there is none."""
    usual = (float(seen["p1"]), float(seen["p99"]))
    for factor in FACTORS:
        if all(min(usual) <= float(value) / factor <= max(usual) for value in values):
            return f"{factor:g}"
    return "1.8 (+32)" if all(min(usual) <= (float(v) - 32) / 1.8 <= max(usual) for v in values) else ""


def ordinals(stats: Stats) -> Fences | None:
    """The fences of a field of dates, in days."""
    seen = stats["range"]
    if not seen or not isinstance(seen["min"], str) or stats["distinct"] < 8:
        return None
    low, high = day_of(seen["p25"]), day_of(seen["p75"])
    width = max(365.0, FENCE * (high - low))
    return Fences(max(1.0, low - width), min(datetime.date.max.toordinal(), high + width))


def day_of(text: str) -> int:
    try:
        return datetime.date.fromisoformat(str(text)[:10]).toordinal()
    except ValueError:
        return 1


LOOKS: tuple[Callable[[Stats], Iterator[Suspicion]], ...] = (
    *(missing, placeholders, sentinels, no_dates, disguised, dates, far_dates, outliers, negative, typos, strangers),
    *(formats, letters, unique, suspicions_of_relations),
)
