"""What could be wrong with a field, seen from its statistics: each suspicion is one query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from offline.auditor.dates import dates, far_dates, no_dates
from offline.auditor.documents import suspicions_of_documents
from offline.auditor.numbers import disguised, negative, outliers, sentinels
from offline.auditor.related import suspicions_of_relations
from offline.auditor.spelling import among, as_text, later_copies, rows_where
from offline.auditor.suspicion import Suspicion
from offline.auditor.texts import formats, letters, strangers, typos
from offline.auditor.words import PLACEHOLDERS

Stats = dict[str, Any]
IDENTIFIER = re.compile(
    r"(^|[_. ])(id|ids|code|no|nr|number|key|uuid|guid|ssn|isbn|email|e-mail|serial)$|[a-z]Id$", re.I
)


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


LOOKS: tuple[Callable[[Stats], Iterator[Suspicion]], ...] = (
    *(missing, placeholders, sentinels, no_dates, disguised, dates, far_dates, outliers, negative, typos, strangers),
    *(formats, letters, unique, suspicions_of_relations),
)
