"""A suspicion: a kind, the fields, and the one query that tests it. What it becomes when the query finds rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from offline.auditor.spelling import literal, quoted
from offline.wire.conversation import Call

WORD = r"[\w.\[\]]+"
NAME = rf'{WORD}|"(?:[^"\\]|\\.)*"'  # what is no word as JSON: a name may hold any sign
SPOKEN = re.compile(rf"([a-z ]+) in ((?:{NAME})(?: & (?:{NAME}))*): (.+)", re.DOTALL)


@dataclass(frozen=True)
class Suspicion:
    """`surprise` is 0 to 1: how surprising it would be if rows were found. `because` is what made it suspect."""

    kind: str
    fields: tuple[str, ...]
    because: str
    query: str
    surprise: float

    @property
    def why(self) -> str:
        names = (n if re.fullmatch(WORD, n) else json.dumps(n, ensure_ascii=False) for n in self.fields)
        return f"{self.kind} in {' & '.join(names)}: {self.because}"


@dataclass(frozen=True)
class Verdict:
    """What a kind of suspicion is when it is true. `confidence` is how often it was right over planted faults and on
    strangers' tables (`python -m bench audits`); `most` the share of rows above which it is how the data are."""

    category: str
    claim: str
    suggestion: str
    confidence: float
    most: float = 0.05
    grave: bool = False


VERDICTS = {
    "missing": Verdict(
        "completeness", "no value in {fields}", "Fill it in from the source, or allow it to be empty.", 0.75, 0.45
    ),
    "placeholder": Verdict("completeness", "words that stand for no value in {fields}", "Make it empty.", 0.95, 0.9),
    "sentinel": Verdict("completeness", "{fields} has a value that stands for no value", "Make it empty.", 0.9, 0.6),
    "text in numbers": Verdict("validity", "{fields} is not a number", "Take the number out of the text.", 0.95, 0.5),
    "unit behind": Verdict(
        "consistency", "{fields} has another unit or spelling behind the number", "Write it as most are.", 0.9, 0.5
    ),
    "date format": Verdict(
        "validity", "{fields} is a date in another format", "Write it as the others are.", 0.95, 0.5
    ),
    "no such date": Verdict("validity", "{fields} is a date that does not exist", "Look it up in the source.", 0.95),
    "date too late": Verdict("timeliness", "{fields} lies too late", "Look it up in the source.", 0.9, 0.02),
    "date too early": Verdict("accuracy", "{fields} lies too early", "Look it up in the source.", 0.85, 0.02),
    "outlier": Verdict("accuracy", "{fields} is far from all other values", "Look it up in the source.", 0.8, 0.03),
    "unit": Verdict("accuracy", "{fields} is in another unit, or its point is misplaced", "Convert it.", 0.9, 0.5),
    "negative": Verdict("accuracy", "{fields} is negative", "Take the sign away, if the source agrees.", 0.85, 0.02),
    "typo": Verdict("consistency", "{fields} is misspelt", "Write the frequent spelling.", 0.9, 0.5),
    "case": Verdict("consistency", "other capitals than usual in {fields}", "Write the frequent spelling.", 0.95, 0.5),
    "spelling": Verdict(
        "consistency", "{fields} has another spelling of the same", "Write the frequent one.", 0.9, 0.3
    ),
    "stranger": Verdict("validity", "{fields} has a value that is none of the usual ones", "Look it up.", 0.75, 0.02),
    "format": Verdict("validity", "{fields} is not written as the others are", "Write it in the usual format.", 0.9),
    "spaces": Verdict("consistency", "spaces around the value, or doubled, in {fields}", "Take them away.", 0.95, 0.9),
    "encoding": Verdict("validity", "letters in a broken encoding in {fields}", "Decode it again.", 0.97, 0.3),
    "not unique": Verdict(
        "uniqueness", "{fields} stands in an earlier row already", "Give it its own.", 0.9, 0.05, True
    ),
    "ragged": Verdict("validity", "the row has another number of cells", "Repair the row in the file.", 0.99, 0.2),
    "copy": Verdict("uniqueness", "the row is a copy of an earlier one", "Delete the copy.", 0.95, 0.6, True),
    "determines": Verdict("consistency", "{last} is not what goes with {first}", "Correct one of them.", 0.85, 0.5),
    "same": Verdict("consistency", "{first} and {last} do not belong together", "Correct one of them.", 0.9),
    "order": Verdict("consistency", "{first} lies after {last}", "Swap or correct them.", 0.9, 0.05, True),
    "sum": Verdict("consistency", "{first} is not the sum of its parts", "Compute it again.", 0.9),
    "product": Verdict("consistency", "{first} is not the product of its parts", "Compute it again.", 0.9),
    "days": Verdict("consistency", "{first} is not the number of days between the dates", "Compute it again.", 0.9),
    "swapped": Verdict("accuracy", "{first} and {last} hold each other's value", "Swap them.", 0.97, 0.5, True),
    "swapped sorts": Verdict("accuracy", "{first} and {last} hold each other's value", "Swap them.", 0.97, 0.5, True),
    "shifted": Verdict("accuracy", "{first} holds the value of {last} behind its own", "Move it.", 0.95, 0.6, True),
    "reference": Verdict("consistency", "{fields} names a record that does not exist", "Correct it.", 0.95, 0.1, True),
}
MERGED = frozenset(("missing", "placeholder", "case", "spaces", "encoding"))  # one cause, whatever the field
# Of a relation over three fields the first is suspected alone.
SUSPECTED = {"determines": slice(-1, None), "sum": slice(1), "product": slice(1), "days": slice(1)}


@dataclass(frozen=True)
class Tested:
    """A suspicion that was tested: what was asked and why, how many rows came back, and the columns they have."""

    kind: str
    fields: tuple[str, ...]
    because: str
    query: str
    count: int
    columns: tuple[str, ...]


def tested(why: str, query: str, answer: dict[str, Any]) -> Tested | None:
    """Read what was asked back from a call and its result; None for what was not asked by this mind."""
    spoken = SPOKEN.fullmatch(why)
    if not spoken or spoken[1] not in VERDICTS:
        return None
    fields = tuple(json.loads(name) if name.startswith('"') else name for name in re.findall(NAME, spoken[2]))
    return Tested(spoken[1], fields, spoken[3], query, answer["count"], tuple(answer["columns"]))


def findings_of(found: Iterable[Tested], size: int) -> Iterator[Call]:
    """Yield the calls that write down what queries found, where that is neither nothing nor too much to be a fault.
    What has one cause in several fields is one finding."""
    groups: dict[tuple[object, ...], list[Tested]] = {}
    for each in found:
        if 0 < each.count <= max(3, VERDICTS[each.kind].most * size):
            may_merge = each.kind in MERGED and each.query.startswith("SELECT")
            groups.setdefault((each.kind, each.columns[:-1]) if may_merge else (each.query,), []).append(each)
    for group in groups.values():
        yield finding_of(group[0] if len(group) == 1 else merged(group), size)


def merged(group: list[Tested]) -> Tested:
    """One query for several fields: it says of each row which field is wrong."""
    first = group[0]
    key = ", ".join(map(quoted, first.columns[:-1]))
    parts = [
        f'SELECT {key}, {literal(each.fields[0])} AS "_field", '
        f'CAST({quoted(each.columns[-1])} AS TEXT) AS "value" FROM ({each.query}) AS part'
        for each in group
    ]
    count, fields = sum(each.count for each in group), tuple(each.fields[0] for each in group)
    because = "; ".join(dict.fromkeys(each.because for each in group)) if first.kind == "case" else "several fields"
    return Tested(first.kind, fields, because, " UNION ALL ".join(parts), count, first.columns)


def finding_of(found: Tested, size: int) -> Call:
    verdict, fields, count = VERDICTS[found.kind], found.fields, found.count
    names = [f"`{name}`" for name in fields]
    claim = verdict.claim.format(fields=listed(names), first=names[0], last=names[-1])
    arguments = {
        "fields": list(fields[SUSPECTED.get(found.kind, slice(None))]),
        "category": verdict.category,
        "severity": severity(count / max(1, size), verdict),
        "claim": f"{claim[0].upper()}{claim[1:]}, in {count:,} of {size:,} rows; {found.because}.",
        "query": found.query,
        "affected": count,
        "confidence": verdict.confidence,
        "suggestion": verdict.suggestion,
    }
    return Call("write_finding", arguments)


def listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def severity(share: float, verdict: Verdict) -> str:
    return ("low", "medium", "high")[min(2, (share >= 0.005) + (share >= 0.05) + verdict.grave)]
