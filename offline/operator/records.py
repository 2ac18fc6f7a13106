"""Results as records, and which of them a task means: "degraded", "of the team payments", "with the most replicas"."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from offline.operator.words import STOP, Clause, stem, stems, words_of

Record = dict[str, Any]
BOUND = r"(less than|fewer than|below|under|more than|over|above|at least|at most|exactly)\s+(\d+)\s+{field}"
COMPARING = stems("less fewer below under over above least most exactly highest lowest fewest")
MOST_SHOWN = 40


def records_of(result: str) -> list[Record]:
    """The JSON objects of a result: one, a list of them, or one after the other."""
    decoder, found, place = json.JSONDecoder(), [], 0
    while (begin := min((at for at in (result.find("{", place), result.find("[", place)) if at >= 0), default=-1)) >= 0:
        try:
            value, place = decoder.raw_decode(result, begin)
        except (ValueError, RecursionError):
            place = begin + 1
            continue
        if isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), list):
            value = next(iter(value.values()))
        found += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
    return found


def selects(records: Sequence[Record], text: str) -> bool:
    """Whether a text says which of the records it means."""
    return any(rules_in(records, text))


def chosen(records: Sequence[Record], text: str) -> list[Record]:
    """The records that a text means: all of them where it does not say which."""
    rules = rules_in(records, text)
    return [record for record in records if all(rule(record) for rule in rules)]


def unknown_in(records: Sequence[Record], text: str, known: frozenset[str]) -> list[str]:
    """The words of a text that say which records are meant and that no field or value of theirs explains."""
    values = [part for record in records for value in record.values() for part in listed(value)]
    explained = (
        known | COMPARING | stems(" ".join(values)) | {stem(w) for f in records for name in f for w in words_of(name)}
    )
    return [
        word for word in words_of(text) if word.lower() not in STOP and stem(word) not in explained and len(word) > 1
    ]


def listed(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


def rules_in(records: Sequence[Record], text: str) -> list[Any]:
    rules: list[Any] = []
    fields = {field: None for record in records for field in record}
    names = {str(record.get("name", "")) for record in records}
    for field in fields:
        rules += bounds_in(field, text)
        values = {
            value for record in records for value in ([record[field]] if isinstance(record.get(field), str) else [])
        }
        if field == "name":
            continue
        for value in values:
            if match := re.search(rf"(\bnot\s+|\bisn't\s+)?(?<![\w-]){re.escape(value)}(?![\w-])", text, re.IGNORECASE):
                rules.append(equal(field, value, wanted=not match[1]))
        if any(isinstance(record.get(field), list) for record in records) and stems(field) & stems(text):
            held = [name for name in names if name and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
            rules += [holding(field, name, text, records) for name in held]
    most = re.search(r"\b(most|fewest|highest|lowest|least)\s+(\w+)", text, re.IGNORECASE)
    if most and (field := next((field for field in fields if stem(field) == stem(most[2])), "")):
        values = [record[field] for record in records if isinstance(record.get(field), int | float)]
        extreme = (max if most[1].lower() in ("most", "highest") else min)(values, default=None)
        rules.append(lambda record: record.get(field) == extreme)
    return rules


def bounds_in(field: str, text: str) -> list[Any]:
    match = re.search(BOUND.format(field=rf"{re.escape(field).rstrip('s')}s?\b"), text, re.IGNORECASE)
    if match is None:
        return []
    how, bound = match[1].lower(), int(match[2])
    compare = {
        "at least": lambda value: value >= bound,
        "at most": lambda value: value <= bound,
        "exactly": lambda value: value == bound,
    }.get(
        how, (lambda value: value > bound) if how in ("more than", "over", "above") else (lambda value: value < bound)
    )
    return [lambda record: isinstance(record.get(field), int | float) and compare(record[field])]


def equal(field: str, value: str, *, wanted: bool) -> Any:
    return lambda record: (record.get(field) == value) is wanted


def holding(field: str, name: str, text: str, records: Sequence[Record]) -> Any:
    """The rule for "depends on ledger"; and for "ledger depends on", which is the other way round."""
    first = words_of(field)[0][:5]
    if re.search(rf"(?<![\w-]){re.escape(name)}\s+{first}", text, re.IGNORECASE):
        held = next((record[field] for record in records if record.get("name") == name), ())
        return lambda record: record.get("name") in held
    return lambda record: name in (record.get(field) or ())


def field_asked_for(records: Sequence[Record], clause: Clause) -> str:
    """The field of a single record that is asked for ("how many replicas", "what version"); "" where none is."""
    if len(records) != 1:
        return ""
    asked = re.search(
        r"\b(?:how many|what|which|what's|tell me|show)\s+(?:is\s+|are\s+)?(?:the\s+)?(\w+)", clause.text, re.I
    )
    return next((field for field in records[0] if asked and stem(field) == stem(asked[1])), "")


def shown(records: Sequence[Record], clause: Clause) -> str:
    """Records as lines, the name first."""
    lines = []
    for record in records[:MOST_SHOWN]:
        rest = ", ".join(f"{key} {value_of(value)}" for key, value in record.items() if key != "name")
        lines.append(f"{record['name']}: {rest}" if "name" in record else rest)
    return "\n".join(lines)


def value_of(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
