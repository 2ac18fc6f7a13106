"""A text cut into clauses, each with whether it tells somebody to do something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

COURTESY = re.compile(
    r"^(?:please|kindly|pls|plz|hey|hi|hello|ok|okay|now|just|then|so|and|also|well|go ahead and|go ahead|go|let's|"
    r"try to|simply|instead|today|first|finally|do|don't forget to|thanks|only)\b[\s,]*",
    re.IGNORECASE,
)
REQUEST = re.compile(
    r"^(?:(?:can|could|will|would) you(?: be so kind (?:as )?to| mind)?|i(?: would|'d)? (?:want|need|like) you to|"
    r"you (?:should|must|may|can|could|have to|need to)(?: now)?|i ask you to|be so kind (?:as )?to)\b\s*",
    re.IGNORECASE,
)
JOINTS = ("and", "or", "then")
REPORTED = re.compile(  # what is joined to these is told about, not ordered: "tell me how to find and fix it"
    r"\b(?:how|whether|to|would|could|should|might|if|when|did|have|has|had|i|we|they|he|she|who|somebody|someone)\b",
    re.IGNORECASE,
)
SAYING = re.compile(r"\b(?:says?|said|asks?|asked|writes|wrote|told|reads|means)\b", re.IGNORECASE)
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'|[\w.]+\([^()]*\)")
SENTENCE = re.compile(r"[^.!?;\n]+(?:\.(?=\S)[^.!?;\n]+)*[.!?;\n]*")
JOINT = re.compile(r"\s*(,|:|\s[-–—]\s|\b(?:but|and|or|then|so that)\b)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Clause:
    """A part of a sentence without its courtesies, and whether it tells somebody to do something: a question does not,
    unless it is a polite request; nor does what only goes on from a question or a report."""

    text: str
    is_order: bool


def clauses_of(text: str) -> Iterator[Clause]:
    """Cut a text into clauses. Quotations and the arguments of calls are not cut."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"§{len(kept) - 1}§"

    for sentence in SENTENCE.findall(QUOTED.sub(keep, text)):
        for clause in clauses_in(sentence):
            yield Clause(re.sub(r"§(\d+)§", lambda found: kept[int(found[1])], clause.text), clause.is_order)


def clauses_in(sentence: str) -> Iterator[Clause]:
    asks = "?" in sentence
    is_polite = is_reported = is_saying = False
    for joint, part in parts_of(sentence.strip().rstrip(".!?;")):
        clause = without_courtesy(part)
        request = REQUEST.match(clause)
        if request:
            clause = without_courtesy(clause[request.end() :])
            clause = re.sub(r"^(\w+)ing\b", r"\1", clause) if "mind" in request[0] else clause
        is_polite = bool(request) or (is_polite and joint in JOINTS)
        goes_on = joint in JOINTS or (joint == ":" and is_saying)
        yield Clause(clause, (is_polite or not asks) and not (goes_on and is_reported))
        is_saying = SAYING.search(part) is not None
        reports = REPORTED.search(clause if is_polite else part)
        is_reported = bool(reports) or is_saying or (goes_on and is_reported)


def parts_of(sentence: str) -> Iterator[tuple[str, str]]:
    """The parts of a sentence, each with the word or sign that joins it to the one before ("" for a comma)."""
    pieces = ["", *JOINT.split(sentence)]
    for joint, part in zip(pieces[::2], pieces[1::2], strict=True):
        if part.strip():
            yield joint.strip().lower().replace(",", ""), part.strip()


def without_courtesy(text: str) -> str:
    while (found := COURTESY.match(text)) and 0 < found.end() < len(text):
        text = text[found.end() :]
    return text
