"""Suspicions about the fields of documents, as MongoDB asks: each is one pipeline that gives the affected documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from offline.auditor.suspicion import Suspicion
from offline.auditor.words import NO_DATES, PLACEHOLDERS, SENTINELS

Stats = dict[str, Any]


def suspicions_of_documents(stats: Stats) -> Iterator[Suspicion]:
    """Missing values and what stands for them, numbers as text, typos, and values beyond a gap."""
    field, seen = stats["field"], stats["range"]
    share = stats["null"] / max(1, stats["rows"])
    if 0 < share <= 0.05 and "[]" not in field:
        yield suspicion("missing", stats, f"{share:.2%} of the documents have no value", None, 1 - share)
    if stats["kinds"].get("text"):
        words = "|".join(re.escape(word) for word in PLACEHOLDERS)
        yield suspicion(
            "placeholder", stats, "words may stand for no value", {"$regex": f"^\\s*({words})\\s*$", "$options": "i"}
        )
    near = [pair for pair in stats["near"] if stats["distinct"] <= 0.1 * stats["rows"] + len(stats["near"])]
    for kind, same_word in (("case", True), ("typo", False)):
        chosen = [pair for pair in near if (pair[0].casefold() == pair[1].casefold()) == same_word]
        if chosen:
            shown = ", ".join(f"{pair[0]!r} for {pair[1]!r}" for pair in chosen[:3])
            yield suspicion(kind, stats, shown, {"$in": [pair[0] for pair in chosen]})
    numbers = stats["kinds"].get("number", 0)
    if 0.8 * sum(stats["kinds"].values()) <= numbers < sum(stats["kinds"].values()):
        yield suspicion("text in numbers", stats, "a few values are no numbers", {"$type": "string"})
    edges = [str(value)[:10] for value in (*seen.get("lowest", ())[:1], *seen.get("highest", ())[-1:])]
    if found := [date for date in NO_DATES if date in edges]:
        yield suspicion("sentinel", stats, f"{found} may stand for no date", {"$in": found})
    yield from beyond(stats)


def beyond(stats: Stats) -> Iterator[Suspicion]:
    """What lies beyond a gap three times as wide as the way to it."""
    seen = stats["range"]
    for side, gaps in seen.get("gaps", {}).items():
        for last, first, _ in gaps:
            if abs(first - seen["p50"]) < 3 * abs(last - seen["p50"]) or stats["distinct"] < 8:
                continue
            kind = "sentinel" if first in SENTINELS else "outlier"
            condition = {"$lte": first} if side == "low" else {"$gte": first}
            yield suspicion(kind, stats, f"the next value is {last}", condition)
            break


def suspicion(kind: str, stats: Stats, because: str, condition: Any, surprise: float = 0.9) -> Suspicion:
    """A suspicion of the documents whose field fits a condition; of a list each item is looked at by itself."""
    field = stats["field"]
    path = field.replace("[]", "")
    parts = field.split("[]")[:-1]
    unwound = [{"$unwind": f"${''.join(parts[: at + 1])}"} for at in range(len(parts))]
    pipeline = [*unwound, {"$match": {path: condition}}, {"$project": {"_id": 1, path: 1}}]
    query = json.dumps({"collection": stats["table"], "pipeline": pipeline}, ensure_ascii=False)
    return Suspicion(kind, (field,), because, query, surprise)
