"""What texts say, sentence by sentence: whether one says another's already, and where one changes or contradicts it.

Only what stands there word for word is said already: a number, a name, a unit or a "not" is a fact, and no measure of
likeness tells two of them apart. Likeness is only used to say what a new sentence is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from jobs.notekeeper.notes import paragraphs, split_note

CLOSE = 0.6  # of two sentences' words in common: they are about the same
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])|\n(?=\s*(?:[-*+>|#]|\d+[.)]))")
_LIST = re.compile(r"^\s*(?:[-*+>]|\d+[.)])\s+")
_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]")
NEGATIONS = frozenset(
    (
        *("no", "not", "never", "none", "nobody", "nothing", "without", "cannot", "nicht", "kein", "keine", "keinen"),
        *("nie", "niemals", "ohne", "ne", "pas", "jamais", "sans", "sin", "nunca", "não", "non", "senza", "не", "нет"),
        *("никогда", "без", "никто"),
    )
)
_FILLING = frozenset(
    ("a", "an", "any", "the", "is", "am", "are", "do", "does", "did", "be", "to", "longer", "more", "anymore")
) | {".", ",", "!"}
_DATE = re.compile(
    r"(?:19|20)\d\d(?:-\d\d)*|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:jan|febr)uary|march|april|may|june|july|august"
    r"|(?:sept|nov|dec)ember|october|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uar|märz|mai|jun[ie]|jul[ie]"
    r"|oktober|dezember|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Change:
    """A new sentence about what an old one is about. `contradicts`: only by a "not", one way or the other."""

    old: str
    was: str
    now: str
    contradicts: bool

    def __str__(self) -> str:
        if self.contradicts:
            return f"Contradicts: {self.old}"
        return f"Supersedes: {self.old}"


def units(block: str) -> list[str]:
    """The sentences and the lines of lists of a text, however its lines are broken."""
    flat = (" ".join(_LIST.sub("", part).split()) for part in _END.split(block))
    return [part for part in flat if part]


def says(old: str, block: str) -> bool:
    """Whether a note says a paragraph already: word for word, one sentence after the other."""
    wanted = units(block)
    for paragraph in paragraphs(old):
        there = units(paragraph)
        if any(there[at : at + len(wanted)] == wanted for at in range(len(there) - len(wanted) + 1)):
            return True
    return False


def changes(new: str, old: str, *, figures: bool = False) -> Iterator[Change]:
    """Where the new text says something else about the same; with `figures` only by a number or a "not". A sentence
    about another day, another name or another thing is a fact beside the old one, and no change of it."""
    body = split_note(old)[1]
    known = [unit for paragraph in paragraphs(body) for unit in units(paragraph) if not unit.startswith("Supersedes:")]
    for unit in units(new):
        if unit in known:
            continue
        tokens = _TOKEN.findall(unit)
        compared = ((SequenceMatcher(None, _TOKEN.findall(each), tokens, autojunk=False), each) for each in known)
        close = [(m.ratio(), at, each) for at, (m, each) in enumerate(compared) if m.quick_ratio() >= CLOSE]
        ratio, _, nearest = max(close, default=(0.0, 0, ""))
        change = change_between(nearest, unit) if ratio >= CLOSE else None
        if change and (not figures or change.contradicts or re.search(r"\d", change.was + change.now)):
            yield change


def change_between(old: str, new: str) -> Change | None:
    """How two sentences about the same differ; None where they stand beside each other."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    steps = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    gone = [token for _, begin, end, _, _ in steps for token in before[begin:end]]
    come = [token for _, _, _, begin, end in steps for token in after[begin:end]]
    negated = [{_plain(token) for token in tokens if denies(token)} for tokens in (gone, come)]
    rest = {_plain(token) for token in (*gone, *come) if not denies(token)} - _FILLING
    if bool(negated[0]) != bool(negated[1]) and not rest:
        return Change(old, " ".join(gone), " ".join(come), contradicts=True)
    for kind, begin, end, start, stop in steps:
        was, now = before[begin:end], after[start:stop]
        if kind != "replace":
            continue
        if begin <= 1 and not any(re.search(r"\d", token) for token in was):
            return None  # of another thing: "Leeks want sand", "Carrots want sand"
        if any(_DATE.fullmatch(token) for token in was) and any(_DATE.fullmatch(token) for token in now):
            return None
        if any(_names(was, old)) and any(_names(now, new)):
            return None
    if not any(re.search(r"\w", token) for token in (*gone, *come)):
        return None
    return Change(old, " ".join(gone), " ".join(come), contradicts=False)


def contradicted(new: str, known: Iterable[str]) -> str:
    """What of the known sentences a new one denies, or denies by its "not"; "" for nothing."""
    for old in known:
        change = change_between(old, new)
        if change and change.contradicts:
            return old
    return ""


def telling(text: str) -> list[str]:
    """The numbers, names and negations of a text: what two notes that are alike may differ in."""
    found = []
    for unit in units(text):
        for place, token in enumerate(_TOKEN.findall(unit)):
            if re.search(r"\d", token) or denies(token) or (place and token[:1].isupper()):
                found.append(token)
    return found


def denies(token: str) -> bool:
    return _plain(token) in NEGATIONS or bool(re.search(r"n['’]t$", token, re.IGNORECASE))


def _plain(token: str) -> str:
    return token.casefold()


def _names(tokens: list[str], sentence: str) -> Iterator[bool]:
    """Which of the tokens are names: in capitals, and not for beginning the sentence."""
    for token in tokens:
        yield token[:1].isupper() and not sentence.startswith(token)
