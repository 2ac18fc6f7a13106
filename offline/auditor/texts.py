"""Suspicions about words and codes: typos, capitals, spellings, strangers, formats, spaces, encodings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from offline.auditor.spelling import among, as_text, like_pattern, like_shape, literal, rows_where
from offline.auditor.suspicion import Suspicion
from offline.auditor.words import PLACEHOLDERS, UNITS

Stats = dict[str, Any]
DAY = re.compile(r"9{4}[-/.]99[-/.]99|99[-/.]99[-/.]9{2,4}")  # a date that always has as many digits
AMOUNT = re.compile(r"[-+]?9+((\.9+)*,9+)?")  # numbers with a decimal comma, and whole ones beside them
FEW_WORDS = 5  # different values without a digit: TRUE beside FALSE is no other format
SPELLINGS = (({"yes", "y", "true", "t"}, {"no", "n", "false", "f"}), ({"male", "m", "man"}, {"female", "f", "woman"}))
BROKEN = ("Ã©", "Ã¨", "Ã¼", "Ã¶", "Ã¤", "Ã±", "Ã³", "Ã¡", "Ã§", "Ã\xad", "ÃŸ", "â€", "Â°", "Â£", "Â ", "\ufffd")


def typos(stats: Stats) -> Iterator[Suspicion]:
    """Values that are another but for capitals, and values that are a letter away from one far more frequent."""
    near = [pair for pair in stats["near"] if pair[0].strip() != pair[1].strip()]  # spaces are looked at elsewhere
    cases = [pair for pair in near if pair[0].strip().casefold() == pair[1].strip().casefold()]
    letters = [pair for pair in near if pair not in cases]
    if cases and not other_tails(stats):  # one cause
        shown = ", ".join(f"{pair[0]!r} for {pair[1]!r}" for pair in cases[:3])
        query = rows_where(stats, among(stats["sql"], [pair[0] for pair in cases]))
        yield Suspicion("case", (stats["field"],), f"{shown}", query, 0.9)
    seen = stats["typos"]
    if not seen or stats["distinct"] - seen["count"] > 0.2 * stats["rows"]:
        return
    shown = ", ".join(f"{pair[0]!r} for {pair[1]!r}" for pair in letters[:3])
    if seen["count"] <= len(letters) and seen["others"] <= 3 * seen["count"] + 2:
        query = rows_where(stats, among(stats["sql"], [pair[0] for pair in letters]))
        yield Suspicion("typo", (stats["field"],), shown, query, 0.9)
    elif seen["count"] > len(letters) and seen["others"] <= seen["count"]:  # too many to be named: all that are as rare
        sql, table = stats["sql"], stats["table"]
        usual = f"SELECT {sql} FROM {table} WHERE {sql} IS NOT NULL GROUP BY {sql} HAVING count(*) > {seen['most']}"
        words = among(f"lower(trim({as_text(sql)}))", PLACEHOLDERS)
        because = f"{shown} and {seen['count'] - 3} more"
        query = rows_where(stats, f"{sql} NOT IN ({usual}) AND NOT {words}")
        yield Suspicion("typo", (stats["field"],), because, query, 0.9)


def tails(stats: Stats) -> Iterator[Suspicion]:
    """Behind a number most values have the same; others have it in another spelling, another unit, or nothing."""
    if others := other_tails(stats):
        usual = stats["tails"][0][0]
        text = as_text(stats["sql"])
        behind = f"ltrim({text}, ' +-.,0123456789')"
        condition = f"{among(behind, others)} AND trim({text}, ' +-.,') <> ''"
        because = f"{others} stand behind the number where most have {usual!r}"
        yield Suspicion("unit behind", (stats["field"],), because, rows_where(stats, condition), 0.9)


def other_tails(stats: Stats) -> list[str]:
    filled = sum(stats["kinds"].values())
    if not stats["tails"] or not stats["tails"][0][0].strip() or stats["tails"][0][1] < 0.5 * filled:
        return []
    usual = stats["tails"][0][0]
    return [tail for tail, _ in stats["tails"][1:] if tail.strip() != usual.strip() and is_same_measure(tail, usual)]


def is_same_measure(tail: str, usual: str) -> bool:
    one, other = (re.sub(r"[\s.]", "", each).casefold() for each in (tail, usual))
    return one in ("", other) or any({one, other} <= units for units in UNITS)


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
    times_of = dict(counts)
    small = small and min(times_of[value] for value, _ in usual) >= 8 * max((times_of[v] for v in rare), default=0)
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
    if other_tails(stats):
        return
    if sum(times for shape, times in stats["shapes"] if "@" in shape) > 0.5 * filled:
        text = as_text(stats["sql"])
        condition = f"({text} NOT LIKE '%_@_%._%' OR {text} LIKE '%@%@%' OR {text} LIKE '% %')"
        query = rows_where(stats, f"{condition} AND NOT {among(f'lower(trim({text}))', PLACEHOLDERS)}")
        yield Suspicion("format", (stats["field"],), "nearly all are addresses of electronic mail", query, 0.85)
        return
    if DAY.fullmatch(stats["patterns"][0][0]):
        pattern = stats["patterns"][0][0]
        words = among(f"lower(trim({as_text(stats['sql'])}))", PLACEHOLDERS)
        condition = f"NOT {like_pattern(stats['sql'], pattern, stats['dialect'])} AND NOT {words}"
        query = rows_where(stats, condition)
        yield Suspicion("date format", (stats["field"],), f"most are written as {pattern}", query, 0.85)
        return
    for kind, spelt in (("patterns", like_pattern), ("shapes", like_shape)):
        usual, covered = [], 0
        for pattern, times in stats[kind]:
            if covered < 0.95 * filled:
                usual.append(pattern)
                covered += times
        if "," in usual[0] and AMOUNT.fullmatch(usual[0]):  # any other number is as good
            amounts = {pattern: times for pattern, times in stats[kind] if AMOUNT.fullmatch(pattern)}
            usual, covered = list(amounts), sum(amounts.values())
        if kind == "patterns" and len({re.sub(r"(.)\1+", r"\1", pattern) for pattern in usual}) < len(usual):
            continue  # of one shape in several lengths: the length is free
        others = [(pattern, times) for pattern, times in stats[kind] if pattern not in usual]
        if kind == "patterns" and any(is_longer(*other, usual, filled - covered) for other in others):
            continue
        wordy = any(not re.search(r"\d", pattern) and not re.fullmatch(r"[A\W]+", pattern) for pattern in usual)
        if (
            len(usual) > 4
            or (len(usual) > 2 and filled - covered > 0.005 * filled)
            or not 0.95 * filled <= covered < filled
            or (wordy and "@" not in usual[0])
        ):
            continue
        if stats["distinct"] <= FEW_WORDS and not any(re.search(r"\d", pattern) for pattern in usual):
            continue  # a few words, each a value
        lengths = {len(value) for value, times in stats["top"] if times > 1}
        if stats["distinct"] <= 0.2 * filled and len(lengths) > 1 and kind == "shapes":
            continue  # a set of words with marks, and no code
        same = " OR ".join(spelt(stats["sql"], pattern, stats["dialect"]) for pattern in usual)
        words = among(f"lower(trim({as_text(stats['sql'])}))", PLACEHOLDERS)
        condition = f"{stats['sql']} IS NOT NULL AND NOT ({same}) AND NOT {words}"
        because = f"nearly all look like {' or '.join(usual)}"
        yield Suspicion("format", (stats["field"],), because, rows_where(stats, condition), 0.85)
        return


def is_longer(pattern: str, times: int, usual: list[str], others: int) -> bool:
    """Whether nearly all that is written otherwise is written alike, as a usual pattern in another length: a counter
    that got another digit. Errors differ from each other."""
    shapes = {re.sub(r"(.)\1+", r"\1", each) for each in usual}
    return times >= max(10, 0.8 * others) and re.sub(r"(.)\1+", r"\1", pattern) in shapes


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
