"""What people say in place of a plain order, said plainly: "give billing two more replicas" is "increase billing by 2
replicas". What is counted ("replicas") are the numbers that some tool takes."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from offline.operator.words import POLITE, QUOTED, SPOKEN_OF, Clause

TOLD = re.compile(r"\b(?:that|know|titled|saying)\b|:", re.IGNORECASE)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PREVIOUS = r"(?:its|the|their) (?:(?:previous|last|prior|earlier) (?:version|release)|(?:version|release) before)"
_ONE = r"(?:a|one|1|a single) (?:version|release)"
_MOVING = "put|bring|take|switch|set|go|return|move|change|revert|roll"
_BACK = rf"(?=revert\b|rollback\b|.* back\b)(?:{_MOVING}|rollback)(?: back)?"
_GIVING = "give|get|grant"
_TELL = "tell|notify|inform|alert|message"
_END = r"(?: (?:possible |allowed )?(?:number of )?COUNTED)?(?: (?:that )?it (?:may|can) have| possible| allowed)?"
_HAVING = f"{_GIVING}|{_MOVING}|scale|run|cut|reduce|increase|raise"
_SAYINGS = [
    (rf"(?:{_MOVING}) back to {_PREVIOUS}", r"roll back it"),
    (rf"(?:{_MOVING}) back to {_PREVIOUS} of (.+)", r"roll back \1"),
    (rf"(?:{_MOVING}) (.+?) (?:back )?(?:on|to) {_PREVIOUS}", r"roll back \1"),
    (rf"{_BACK} {_ONE} (?:of|on|for|with) (.+?)(?: back)?", r"roll back \1"),
    (rf"{_BACK} (.+?)(?: back)?(?<! to)(?<! on)(?: by)? {_ONE}(?: back)?", r"roll back \1"),
    (rf"({_TELL}) (?!me\b|us\b)([\w-]+) ((?:we|they|it|the [\w-]+)(?:['’](?:re|s)| is| are) .+)", r"\1 \2 that \3"),
    (rf"let (.+?) know(?: {SPOKEN_OF})?", r"tell \1"),
    (rf"({_TELL}) (?!me\b|us\b)(.+?) {SPOKEN_OF}", r"\1 \2"),
    (r"let (me|us) know (.+)", r"tell \1 \2"),
    (r"let (.+?) know(?: that|:) (.+)", r"tell \1 that \2"),
    (
        r"let (.+?) know ((?:(?:the|our|an?) (?:[\w-]+ ){0,6}?)?[\w-]+ (?:is|are|has|have|was|were|will) .+)",
        r"tell \1 that \2",
    ),
    (
        rf"(?:{_GIVING}) (?!me\b|us\b)(.+?) (\d+) (?:more|additional|extra|further) (COUNTED)",
        r"increase \1 by \2 \3",
    ),
    (rf"(?:{_GIVING}) (?!me\b|us\b)(.+?) (\d+) (COUNTED)", r"set \1 to \2 \3"),
    (r"add (\d+) (?:more |extra |further )?(COUNTED) (?:to|for) (.+)", r"increase \3 by \1 \2"),
    (r"(?:take|remove|drop) (\d+) (?:more )?(COUNTED) (?:away |off )?from (.+)", r"decrease \3 by \1 \2"),
    (r"start (.+?) (?:again )?with (\d+) (COUNTED)", r"set \1 to \2 \3"),
    (rf"([a-z]+ .+?) to (?:(?:its|the) (?:maximum|highest|largest)|the most(?= COUNTED)){_END}", r"\1 to its maximum"),
    (rf"([a-z]+ .+?) to (?:its|the) (?:minimum|lowest|smallest){_END}", r"\1 to its minimum"),
    (r"([a-z]+ .+?) to (?:the same|as many)(?: number of)? COUNTED as ([\w-]+)(?: has)?", r"\1 to as many as \2"),
    (
        r"(.+? (?:that|which)) (?:was|has been) ([a-z]+)ed (?:the )?(most|least)(?: often)?(?: so far)?",
        r"\1 has the \3 \2s",
    ),
    (r"(?:bring|get) (.+?) (?:back up|back online|up again|(?:up and )?running(?: again)?)", r"start \1"),
]
# What is counted, and of what: "the number of replicas of search", "search's replicas", "the search replica count".
_NUMBER = r"(?:the )?(?:(?:current|present) )?(?:(?:number|count) of )?"
_COUNT = rf"{_NUMBER}(?:(COUNTED)(?: count)? (?:of|for|on|in) (.+?)|(.+?)(?:['’]s)? (COUNTED)(?: count)?)"
for _times, _as_many, _moves in (
    ("double", "twice", r"increase {} by a factor of 2 {}"),
    ("triple", "three times", r"increase {} by a factor of 3 {}"),
    ("halve", "half", r"decrease {} by a factor of 2 {}"),
):
    _many = rf"(?:{_times}|{_as_many}) (?:as many |(?:its )?{_NUMBER})(COUNTED)(?: count)?"
    _SAYINGS += [
        (rf"{_times} {_COUNT}", _moves.format(r"\2\3", r"\1\4")),
        (rf"(?:{_HAVING}) (.+?) (?:(?:up |down )?to |with |at )?{_many}", _moves.format(r"\1", r"\2")),
    ]
_SAYINGS.append((rf"(?:cut|reduce|split) {_COUNT} (?:in|by|to) half", r"decrease \2\3 by a factor of 2 \1\4"))
_NO_NAME = "it|that|this|them|all|here|there|now|please|right|at|immediately|every\\w*|any\\w*|no\\w*"
_STOP = rf"(?:stop|shut down|turn off|switch off) (?:the )?(?!(?:{_NO_NAME})\b)([a-z][\w-]*(?<!ing))(?: service)?"
FIRST = frozenset(f"let|add|remove|drop|double|triple|halve|{_HAVING}".split("|"))  # what such an order begins with


def _in_days(weeks: re.Match[str]) -> str:
    number = weeks[1].lower()
    count = int(number) if number.isdigit() else 1 if number == "a" else _NUMBERS.index(number)
    return f"{count * 7} {weeks[2]}days"


def plainly(clause: Clause, counted: Collection[str], stopping: str = "") -> Clause:
    """The clause as a plain order says it, numbers in figures. What quotes something stays as it is. `stopping` is what
    there are none of where something is stopped; "" where no tool says so."""
    if QUOTED.search(clause.text):
        return clause
    named = [name.rstrip("s") for name in counted]
    things = f"(?:{'|'.join(rf'{name}s?' for name in named) or '(?!)'})"
    more = r"(?:(?:more|additional|extra|further|fewer|less)\s+)?"
    word = "|".join(_NUMBERS)
    figure = rf"\b(?:{word})(?=\s+{more}{things}\b)|(?:(?<=\bto )|(?<=\bby ))(?:{word})(?=[.!]*$)"
    ordered = TOLD.split(clause.text)[0]  # what follows is told to somebody, word for word
    text = re.sub(figure, lambda found: str(_NUMBERS.index(found[0].lower())), ordered, flags=re.IGNORECASE)
    if "days" in counted:
        text = re.sub(rf"\b(a|{word}|\d+)\s+({more})weeks?\b", _in_days, text, flags=re.IGNORECASE)
    one = r"\b(?:another|an? (?:more|extra|additional|further)|(?:(?<=add )|(?<=drop )|(?<=take )|(?<=remove ))a)"
    text = re.sub(rf"{one}(?=\s+{things}\b)", "1 more", text, flags=re.IGNORECASE)
    text = re.sub(r"\bboth (?=[\w-]+ and [\w-]+)", "", text, flags=re.IGNORECASE)
    text += clause.text[len(ordered) :]
    polite = POLITE.match(text)
    order = POLITE.sub("", text).rstrip(".!? ")
    for said, plain in [*_SAYINGS, *([(_STOP, rf"set \1 to 0 {stopping}")] if stopping else [])]:
        pattern = rf"(?:^|(?<=, )){said.replace('COUNTED', things)}$"
        if re.search(pattern, order, re.IGNORECASE):  # what is polite stays, and what asks: both say what kind it is
            order = re.sub(pattern, plain, order, flags=re.IGNORECASE)
            asks = "?" if text.rstrip().endswith("?") else ""
            return replace(clause, text=f"{polite[0] if polite else ''}{order}{asks}")
    return replace(clause, text=text)
