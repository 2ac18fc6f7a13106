"""Suspicions about dates: those that stand for none, other formats, days that do not exist, too early, too late."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

from offline.auditor.numbers import FENCE, Fences
from offline.auditor.spelling import DATE, among, as_text, like_pattern, literal, rows_where
from offline.auditor.suspicion import Suspicion
from offline.auditor.words import NO_DATES, PLACEHOLDERS

Stats = dict[str, Any]
LEAST = 365.0  # days, within which no date is far from the others


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


def dates(stats: Stats) -> Iterator[Suspicion]:
    filled, sql = sum(stats["kinds"].values()), stats["sql"]
    count = stats["kinds"].get("date", 0)
    if not filled or count < 0.5 * filled or stats["declared"].startswith(("date", "timestamp", "time")):
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
    days = plausible(stats)
    if not days:
        return
    low, high = days
    field, sql = stats["field"], f"substr({as_text(stats['sql'])}, 1, 10)"
    is_date = like_pattern(sql, DATE, stats["dialect"])
    known = among(sql, NO_DATES)
    if day_of(stats["range"]["max"]) > high:
        limit = literal(datetime.date.fromordinal(int(high)).isoformat())
        query = rows_where(stats, f"{is_date} AND {sql} > {limit} AND NOT {known}")
        yield Suspicion("date too late", (field,), f"nearly all are at most {limit}", query, 0.95)
    if day_of(stats["range"]["min"]) < low:
        limit = literal(datetime.date.fromordinal(int(low)).isoformat())
        query = rows_where(stats, f"{is_date} AND {sql} < {limit} AND NOT {known}")
        yield Suspicion("date too early", (field,), f"nearly all are {limit} or later", query, 0.9)


def plausible(stats: Stats) -> tuple[float, float] | None:
    """The first and the last day that a date of a field may be: not far from the others, and not in the future where
    hardly any is."""
    days = ordinals(stats)
    if not days:
        return None
    return days.low, min(days.high, max(datetime.date.today().toordinal(), day_of(stats["range"]["p99"])))


def ordinals(stats: Stats) -> Fences | None:
    """The fences of a field of dates, in days."""
    seen = stats["range"]
    if not seen or not isinstance(seen["min"], str) or stats["distinct"] < 8:
        return None
    low, high = day_of(seen["p25"]), day_of(seen["p75"])
    width = max(LEAST, FENCE * (high - low))
    return Fences(max(1.0, low - width), min(datetime.date.max.toordinal(), high + width))


def day_of(text: str) -> int:
    try:
        return datetime.date.fromisoformat(str(text)[:10]).toordinal()
    except ValueError:
        return 1
