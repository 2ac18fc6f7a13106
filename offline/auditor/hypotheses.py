"""What could be wrong with a field, seen from its statistics: each suspicion is one query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from offline.auditor.dates import dates, far_dates, no_dates
from offline.auditor.documents import suspicions_of_documents
from offline.auditor.numbers import disguised, negative, outliers, sentinels, units
from offline.auditor.related import suspicions_of_relations
from offline.auditor.spelling import among, as_text, later_copies, quoted, rows_where
from offline.auditor.suspicion import Suspicion
from offline.auditor.texts import formats, letters, strangers, tails, typos
from offline.auditor.words import AMBIGUOUS, PLACEHOLDERS

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


def missing(schema: Stats) -> Iterator[Suspicion]:
    """Each field of the collection itself that lacks values in the sample, or that the sample does not know well."""
    for field in schema["fields"]:
        if field["field"] not in ("_cells", "_more") and (field.get("null") or schema["rows"] > schema["sampled"]):
            sql = field.get("sql", quoted(field["field"]))
            about = {**schema, "sql": sql}
            if "table" in field:
                about |= {"table": quoted(field["table"]), "key": field["key"]}
            query = rows_where(about, f"{sql} IS NULL")
            yield Suspicion("missing", (field["field"],), "others have one", query, 1 - field.get("null", 1.0))


def placeholders(stats: Stats) -> Iterator[Suspicion]:
    """Words for no value, at any share; of those that may be a value too, only such as stand rarely."""
    if not stats["kinds"].get("text"):
        return
    usual = {str(value).strip().lower() for value, times in stats["top"] if times > 0.1 * stats["rows"]}
    codes = {pattern for pattern, times in stats["patterns"] if times > 0.1 * stats["rows"] and pattern.isalpha()}
    words = [word for word in PLACEHOLDERS if word not in AMBIGUOUS or word not in usual]
    words = [word for word in words if not (word.isalpha() and codes & {"A" * len(word), "Aa" * (len(word) == 2)})]
    condition = among(f"lower(trim({as_text(stats['sql'])}))", words)
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
    *(placeholders, sentinels, units, no_dates, disguised, dates, far_dates, outliers, negative, typos, strangers),
    *(tails, formats, letters, unique, suspicions_of_relations),
)
