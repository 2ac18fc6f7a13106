"""What people say in place of a plain order, said plainly: "give billing two more replicas" is "increase billing by 2
replicas". What is counted ("replicas") are the numbers that some tool takes."""

from __future__ import annotations

import re
from collections.abc import Collection

from offline.operator.words import POLITE, QUOTED, Clause

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PREVIOUS = r"(?:its|the|their) (?:(?:previous|last|prior|earlier) (?:version|release)|(?:version|release) before)"
_MOVING = "put|bring|take|switch|set|go|return|move|change|revert|roll"
_SAYINGS = (
    (rf"(?:{_MOVING}) back to {_PREVIOUS} of (.+)", r"roll back \1"),
    (rf"(?:{_MOVING}) (.+?) (?:back )?(?:on|to) {_PREVIOUS}", r"roll back \1"),
    (r"let (.+?) know\b(?: that\b|:)? (.+)", r"tell \1 that \2"),
    (
        r"(?:give|get|grant) (?!me\b|us\b)(.+?) (\d+) (?:more|additional|extra|further) (COUNTED)",
        r"increase \1 by \2 \3",
    ),
    (r"(?:give|get|grant) (?!me\b|us\b)(.+?) (\d+) (COUNTED)", r"set \1 to \2 \3"),
    (r"add (\d+) (?:more |extra |further )?(COUNTED) (?:to|for) (.+)", r"increase \3 by \1 \2"),
    (r"(?:take|remove) (\d+) (COUNTED) (?:away |off )?from (.+)", r"decrease \3 by \1 \2"),
)


def plainly(clause: Clause, counted: Collection[str]) -> Clause:
    """The clause as a plain order says it, numbers in figures. What quotes something stays as it is."""
    if QUOTED.search(clause.text):
        return clause
    things = "|".join(rf"{name.rstrip('s')}s?" for name in counted) or "(?!)"
    figure = rf"\b({'|'.join(_NUMBERS)})(?=\s+(?:(?:more|additional|extra|further|fewer|less)\s+)?(?:{things})\b)"
    text = re.sub(figure, lambda found: str(_NUMBERS.index(found[1].lower())), clause.text, flags=re.IGNORECASE)
    order = POLITE.sub("", text)
    for said, plain in _SAYINGS:
        pattern = rf"(?:^|(?<=, )){said.replace('COUNTED', things)}[.!]*$"
        if re.search(pattern, order, re.IGNORECASE):
            return Clause(re.sub(pattern, plain, order, flags=re.IGNORECASE), clause.whole)
    return Clause(text, clause.whole)
