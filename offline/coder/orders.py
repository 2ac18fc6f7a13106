"""What a clause orders to be changed, and what a person forbids."""

from __future__ import annotations

import re
from collections.abc import Iterable

from offline.coder.clauses import Clause
from offline.coder.wish import FILE, NAME, NO_NAMES, THING, Wish, place_in

FIX = r"(?:fix|repair|correct|mend|patch|resolve)\b"
MAKE_PASS = (
    r"(?:make|get|let)\b.*\b(?:tests?\w*|it|them|this|code|program|everything|all)\b.*"
    r"\b(?:pass\w*|works?|green|succeed|run)\b|make\b.*\bpass\b"
)
SOLVE = (
    r"(?:solve|remove|eliminate|get rid of)\s+(?:the|this|that|my|our|all|every)?\s*"
    r"(?:bugs?|problems?|errors?|issues?|mistakes?|failures?)\b"
)
ADD_TEST = r"(?:add|write|create|make (?=an? ))\s*(?:\w+\s+){0,3}tests?\b(?! (?:framework|runner))"
BETWEEN = r"\s+(?:to|into|in|en|a|as|в|zu|->|→)\s+"
RENAME = rf"(?:rename|change the name of)\s+{THING}{NAME}{BETWEEN}[\"'`]?(?P<new>[^\W\d]\w*)[\"'`]?"
PROSE = re.compile(
    r"\b(?:spelling|typos?|grammar|wording|format(?:ting)?|indentation|style|docs?|documentation|docstrings?|comments?|"
    r"readme|license|whitespace|lint\w*|type hints?|translation|layout|design|colou?rs?)\b",
    re.IGNORECASE,
)
NEVER = (
    r"(?:do not|don'?t|never|not|without|no need to|nothing|avoid)\b"
    r"(?: (?:even|yet|please|you|ever|to|just|go and))*"
)
CHANGE = r"(?:chang|edit|modify|touch|alter|writ|fix|repair|correct|apply|rewrit|updat)(?:e|es|ing|ting)?\b"
ALL = (
    r"(?:it|anything|nothing|any ?thing|any of it|them|this|that|yet|"
    r"(?:the|my|any|your|our|a|single)?\s*(?:code|files?|programs?|source|bugs?|line|project)|)"
)
FORBIDDEN = re.compile(
    rf"\b{NEVER} {CHANGE}(?: {ALL})?(?: (?:yet|now|please|for me|at all|myself|yourself|without \w+|itself))*\s*$|"
    r"\b(?:fix|change|edit|touch|repair|correct|modify)(?:ing)? nothing\b|"
    r"\bno (?:changes|edits|fix|fixes|fixing)\b|\bread[- ]only\b|"
    r"\bhands off\b|\bleave (?:it|everything|the code|all|the files?) (?:alone|as|unchanged)",
    re.IGNORECASE,
)
EXCEPT = re.compile(rf"\b{NEVER} {CHANGE}", re.IGNORECASE)


def forbids(clause: Clause) -> bool:
    """Whether a clause forbids every change; "don't touch render.py" forbids one, see `avoided`."""
    return FORBIDDEN.search(clause.text) is not None


def allowed(clauses: Iterable[Clause]) -> str:
    """What is said, without the clauses that forbid a change."""
    return "\n".join(clause.text for clause in clauses if not EXCEPT.search(clause.text))


def avoided(clauses: Iterable[Clause]) -> tuple[str, ...]:
    """The files that the person wants left alone."""
    places = (place_in(clause.text) for clause in clauses if EXCEPT.search(clause.text))
    return tuple(place["path"] for place in places if place)


def wish_to_change(clause: str, text: str) -> Wish | None:
    """The change that a clause orders, None when it orders none; one that cannot be made here is unknown.

    `text` is all that is said, without what is forbidden.
    """
    renamed = re.match(RENAME, clause, re.IGNORECASE)
    if renamed:
        return Wish("rename", name=renamed["name"], new_name=renamed["new"], **place_in(clause[renamed.end() :]))
    if re.match(ADD_TEST, clause, re.IGNORECASE):
        return Wish("add_test", **place_in(clause))
    fix = re.match(FIX, clause, re.IGNORECASE)
    fix = fix or re.search(rf"^(?:the|this|a)\b.*\b{FIX}$", clause, re.IGNORECASE)  # German: "the bug fix"
    if not fix and not re.match(f"{MAKE_PASS}|{SOLVE}", clause, re.IGNORECASE):
        return None
    rest = clause[fix.end() :] if fix else clause
    if re.match(r"\s*(?:me|nothing)\b", rest):
        return None
    place = place_in(clause) or place_in(text if re.match(r"\s*(?:it|this|that|them)\b", rest) else "")
    if fix and (PROSE.search(rest) or not place.get("path", "x.py").endswith(".py")):
        return Wish("unknown", path=place.get("path", ""))
    name, is_sure = named_in(rest)
    tests = set(re.findall(r"\btest_\w+", text)) if not name else set()
    return Wish("fix", name=tests.pop() if len(tests) == 1 else name, is_sure=is_sure, **place)


def named_in(text: str) -> tuple[str, bool]:
    """The function, class or test that an order names ("" when it names none), and whether it is one for sure."""
    plain = re.sub(FILE, " ", text)
    explicit = re.search(rf"\b(?:function|method|class|test)\s+{NAME}", plain, re.IGNORECASE)
    called = re.search(r"([^\W\d][\w.]*)\(\)", plain)
    direct = re.match(rf"\s*(?:the )?{NAME}(?=\s*$|\s+in\b)", plain)
    sure = (explicit and explicit["name"]) or (called and called[1]) or ""
    found = sure or (direct and direct["name"]) or ""
    return ("", False) if found.lower() in NO_NAMES else (found, bool(sure))
