"""Results as records, and which of them a task means: "degraded", "of the team payments", "with the most replicas"."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from offline.operator.words import STOP, Clause, stem, stems, words_of

Record = dict[str, Any]
Rule = Callable[[Record], bool]
BOUND = r"\b({how})\s+(\d+)\s+{field}"
COMPARE: dict[str, Callable[[float, float], bool]] = {
    **dict.fromkeys(("less than", "fewer than", "below", "under"), operator.lt),
    **dict.fromkeys(("more than", "over", "above"), operator.gt),
    **dict.fromkeys(("exactly", "with", "has", "have"), operator.eq),
    "at least": operator.ge,
    "at most": operator.le,
}
CALLED = ("title", "label", "id", "identifier", "key", "path")
COMPARING = stems("less fewer below under over above exactly")
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
        found += [named(each) for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
    return found


def named(record: Record) -> Record:
    """A record with what it is called by as its name, first: a book has a title in place of one."""
    key = next((key for key in CALLED if isinstance(record.get(key), str)), "name")
    if "name" in record or key not in record:
        return record
    return {"name": record[key], **{name: value for name, value in record.items() if name != key}}


def called_by(result: str) -> str:
    """What the first record of a result is called by: "name", or the key that stands for it."""
    record = re.search(r"\{[^{}]*", result)
    return next((key for key in ("name", *CALLED) if record and f'"{key}"' in record[0]), "name")


def selects(records: Sequence[Record], text: str) -> bool:
    """Whether a text says which of the records it means."""
    return any(rules_in(records, text))


def chosen(records: Sequence[Record], text: str) -> list[Record]:
    """The records that a text means: all of them where it does not say which."""
    rules = rules_in(records, text)
    return [record for record in records if all(rule(record) for rule, _ in rules)]


def unknown_in(records: Sequence[Record], text: str, known: frozenset[str]) -> list[str]:
    """The words and numbers of a text that say which records are meant and that no rule here understands: a value or a
    name that stands there without one ("every service but billing") is not understood either."""
    explained = known | COMPARING | {stem(word) for record in records for name in record for word in words_of(name)}
    for _, words in rules_in(records, text):
        text = re.sub(rf"(?<![\w-]){re.escape(words)}(?![\w-])", " ", text)
    left = re.findall(r"\d[\w.:]*(?<![.:])|(?<!['’])[A-Za-z]+", text)
    values = {str(value).lower() for record in records for value in record.values()}  # "us" is a region, too
    common = STOP - {"but"} - values
    return [word for word in left if word.lower() not in common and stem(word) not in explained]


def rules_in(records: Sequence[Record], text: str) -> list[tuple[Rule, str]]:
    """The rules by which a text chooses among records, each with the words that say it."""
    rules: list[tuple[Rule, str]] = []
    fields = {field: None for record in records for field in record}
    names = {str(record.get("name", "")) for record in records}
    for field in fields:
        rules += bounds_in(field, text)
        values = {record[field] for record in records if isinstance(record.get(field), str)}
        if field == "name":
            continue
        if any(record.get(field) is True for record in records) and asked_about(field, text):
            rules.append((flagged(field, text), field.replace("_", " ")))
        said = [(value, re.search(place_of(value, field), text, re.IGNORECASE)) for value in values]
        for wanted in (True, False):  # "degraded or stopped" is either, "not degraded or stopped" neither
            these = {value.lower(): match for value, match in said if match and (not match[1]) is wanted}
            rules += [(one_of(field, set(these), wanted), match[0]) for match in these.values()]
        if any(isinstance(record.get(field), list) for record in records) and stems(field) & stems(text):
            held = [name for name in names if name and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
            rules += [(holding(field, name, text, records), name) for name in held]
    most = re.search(r"\b(most|fewest|highest|lowest|least)\s+(?:number of\s+)?(\w+)", text, re.IGNORECASE)
    if most and (field := next((field for field in fields if stem(field) == stem(most[2])), "")):
        among = [record for record in records if all(rule(record) for rule, _ in rules)]
        numbers = [record[field] for record in among if isinstance(record.get(field), int | float)]
        extreme = (max if most[1].lower() in ("most", "highest") else min)(numbers, default=None)
        rules.append((lambda record: record.get(field) == extreme, most[0]))
    return rules


def bounds_in(field: str, text: str) -> list[tuple[Rule, str]]:
    single = rf"\b(?:a single|only one|just one|exactly one)(?=\s+{re.escape(field).rstrip('s')}s?\b)"
    text = re.sub(single, "exactly 1", text, flags=re.IGNORECASE)
    match = re.search(
        BOUND.format(how="|".join(COMPARE), field=rf"{re.escape(field).rstrip('s')}s?\b"), text, re.IGNORECASE
    )
    if match is None:
        return []
    bound = int(match[2])
    compare = COMPARE[match[1].lower()]
    return [(lambda record: isinstance(record.get(field), int | float) and compare(record[field], bound), match[0])]


def place_of(value: str, field: str) -> str:
    """The pattern of a value where it stands in a text: a common word ("us") is one only in its field or "in" it."""
    words = r"\s+(?:the\s+)?".join(map(re.escape, value.split()))  # "on the shelf" is what is "on shelf"
    where = rf"\b(?:in|{re.escape(field)})\s+(?:the\s+)?" if value.lower() in STOP else ""
    return rf"(\b(?:not|isn't|neither)\s+(?:[\w-]+\s+n?or\s+)*)?{where}(?<![\w-])({words})(?![\w-])"


def flagged(field: str, text: str) -> Rule:
    """The rule for "overdue", and for "not overdue"."""
    wanted = not re.search(
        rf"\b(?:not|isn['’]t|aren['’]t)\s+{re.escape(field.replace('_', ' '))}\b", text, re.IGNORECASE
    )
    return lambda record: record.get(field) is wanted


def one_of(field: str, values: set[str], wanted: bool) -> Rule:
    return lambda record: (str(record.get(field)).lower() in values) is wanted


def holding(field: str, name: str, text: str, records: Sequence[Record]) -> Rule:
    """The rule for "depends on ledger"; and for "ledger depends on", which is the other way round."""
    first = words_of(field)[0][:5]
    if re.search(rf"(?<![\w-]){re.escape(name)}\s+{first}", text, re.IGNORECASE):
        held = next((record[field] for record in records if record.get("name") == name), ())
        return lambda record: record.get("name") in held
    return lambda record: name in (record.get(field) or ())


def field_asked_for(records: Sequence[Record], clause: Clause, about: set[str]) -> str:
    """The field of a single record that is asked for ("how many replicas", "what version"); "" where none is, or where
    more is said than its name and what it is `about`: "which version would a rollback bring"."""
    if len(records) != 1:
        return ""
    asked = re.search(
        r"\b(?:how many|what|which|what's|tell me|show)\s+(?:is |are )?(?:the )?(?:current )?(\w+)",
        clause.text,
        re.I,
    )
    field = next((field for field in records[0] if asked and stem(field) == stem(asked[1])), "")
    return field if clause.stems <= about | stems(f"{field} {records[0].get('name')}") else ""


def total_of(records: Sequence[Record], text: str) -> str:
    """What the numbers that a text asks the total of come to; "" where it asks for none."""
    if not re.search(r"\b(?:total|al?l ?together|in all|combined|sum)\b", text, re.IGNORECASE):
        return ""
    is_number = lambda value: isinstance(value, int | float) and not isinstance(value, bool)  # noqa: E731
    keys = dict.fromkeys(key for record in records for key, value in record.items() if is_number(value))
    asked = next((key for key in keys if asked_about(key, text)), "")
    numbers = [record[asked] for record in records if is_number(record.get(asked))]
    return f"{sum(numbers):g} {asked} in total:\n" if asked else ""


def asked_about(field: str, text: str) -> bool:
    """Whether all words of a field stand in a text; never where its name has none but common ones ("is_on")."""
    return bool(stems(field)) and stems(field) <= stems(text)


def shown(records: Sequence[Record]) -> str:
    """Records as lines, the name first."""
    lines = []
    for record in records[:MOST_SHOWN]:
        rest = ", ".join(f"{key} {value_of(value)}" for key, value in record.items() if key != "name")
        lines.append(f"{record['name']}: {rest}" if "name" in record else rest)
    return "\n".join(lines)


def value_of(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
