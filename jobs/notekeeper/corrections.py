"""Where a new text changes, corrects or contradicts what a note says.

Likeness only says what a sentence is about. That it corrects another is said by the person ("now", "not six", "from 65
to 72"), or by the title that both stand under; else it is only set beside the other, to be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from jobs.notekeeper.denials import denied
from jobs.notekeeper.facts import SENTENCES, denies, tokens, units
from jobs.notekeeper.notes import paragraphs, split_note

CLOSE = 0.6  # of two sentences' words in common: they are about the same
SHARED = 0.5  # of the shorter one's words that say something, where a person says that it is a correction
_OWN = re.compile(
    r"(?:> )?(?:(?:Supersedes|Contradicts|Compare)(?::| \[)|Superseded by \[)"
)  # how a note tells its changes
_FILLING = frozenset(
    [
        ".",
        ",",
        "!",
        *["a", "an", "any", "the", "is", "am", "are", "do", "does", "did", "be", "to", "longer", "more", "anymore"],
    ]
)
_WORDS = """
a an the is are was of at in on to and it for with by from der die das den dem ist im am um zum bei und le la les l est
de du des à el los las es son por en y del al в на с у из и 的 是 在 の は が を に で す も と
"""
_GRAMMAR = frozenset(_WORDS.split())
_SAID = re.compile(  # words with which people say that something is another way now
    r"^\W*(?:correction|corrected|actually|sorry|update|korrektur|richtig ist|rectific\w+|correcci[oó]n|исправление"
    r"|поправка|更正|訂正|修正)\b|^\W*(?:更正|訂正|修正)"
    r"|\b(?:now|no longer|any ?more|instead|(?:has|is|was) changed"
    r"|changed(?= to\b| from\b|[:,])|since then|jetzt|nun|nicht mehr|stattdessen|geändert|теперь|уже не"
    r"|больше не|изменил\w+|maintenant|désormais|ne plus|n'est plus|ahora|ya no|cambió|ora|adesso|non più)\b"
    r"|改成|改为|改到|现在|不再|変わり|変更|今は",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:19|20)\d\d(?:-\d\d)*|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:jan|febr)uary|march|april|may|june|july|august"
    r"|(?:sept|nov|dec)ember|october|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uar|märz|mai|jun[ie]|jul[ie]"
    r"|oktober|dezember|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Change:
    """A new sentence about what an old one is about. `was` and `now` are the words that differ, "" where all is said in
    other words; `contradicts`: both cannot hold, for one has a "not"; `sure`: the person says that it is a correction.
    """

    old: str
    was: str
    now: str
    contradicts: bool = False
    sure: bool = False


def changes(new: str, old: str, *, figures: bool = False) -> Iterator[Change]:
    """Where the new text says something else about the same; with `figures` only what the person says is a correction,
    or differs by a number or a "not". A sentence about another day, another name or another thing is a fact beside the
    old one, and no change of it."""
    body = split_note(old)[1]
    known = {unit: tokens(unit) for paragraph in paragraphs(body) for unit in units(paragraph) if not is_told(unit)}
    matcher = SequenceMatcher[str](None, autojunk=False)
    for unit in units(new):
        if unit in known or is_told(unit):
            continue
        matcher.set_seq2(tokens(unit))
        ratio, nearest = 0.0, ""
        for each, words in known.items():
            matcher.set_seq1(words)
            if matcher.real_quick_ratio() >= CLOSE and matcher.quick_ratio() >= CLOSE and matcher.ratio() >= ratio:
                ratio, nearest = matcher.ratio(), each
        change = change_between(nearest, unit) if ratio >= CLOSE else None
        if not (change and change.contradicts):
            opposite = next((each for each in known if denied(each, unit)), "")
            change = Change(opposite, "", "", contradicts=True) if opposite else change
        if said := next((each for each in known if corrects(each, unit)), ""):
            change = replace(change if change and change.old == said else Change(said, "", ""), sure=True)
        if change and (not figures or change.sure or change.contradicts or re.search(r"\d", change.was + change.now)):
            yield change


def superseded_in(text: str) -> set[str]:
    """The sentences of a note that a later one supersedes, there or in another note."""
    found = re.findall(r"^> Superseded by \[.*?\]\(.*?\): (.+)$|^> Supersedes: (.+)$", text, re.MULTILINE)
    return {here or there for there, here in found}


def is_told(paragraph: str) -> bool:
    """Whether a paragraph says nothing itself, but how the note changed another or was changed."""
    return bool(_OWN.match(paragraph))


def corrects(old: str, new: str) -> bool:
    """Whether a person says that a sentence corrects another: both are about the same thing, and the new one says so,
    or denies what stands in the old one, or tells from what to what it changed."""
    before, after = meant(old), meant(new)
    common = before & after
    if len(common) < 2 or subject(old) not in after:
        return False  # of somebody or something else: "Boris works there", "Anna works there now"
    signs = sum(len(word) > 1 or word.isdigit() or word > "\u3040" for word in common)
    least = 4 if any(word > "\u3040" for word in common) else 2
    if signs < least or len(common) < SHARED * min(len(before), len(after)) or not after - before:
        return False
    own = [token.casefold() for token in tokens(new)]
    own = [each for at, each in enumerate(own) if own[at + 1 : at + 2] != ["."] or at == len(own) - 2]  # without "Dr."
    refused = {each for at, token in enumerate(own) if denies(token) for each in own[at + 1 : at + 4]}
    left = re.search(r"\b(?:from|von|de|с|от|从)\s+(\S+)\s+(?:to|auf|à|a|на|до|到)\s", new, re.IGNORECASE)
    was = {left[1].casefold().strip(",.")} if left else set()
    return bool(_SAID.search(new) or (refused - _GRAMMAR) & (before - (after - refused)) & before or was & before)


@lru_cache(SENTENCES)
def meant(unit: str) -> frozenset[str]:
    """The words and numbers of a sentence that say what it is about."""
    return frozenset(token.casefold() for token in tokens(unit) if re.match(r"\w", token)) - _GRAMMAR


@lru_cache(SENTENCES)
def subject(unit: str) -> str:
    """The first word of a sentence that says what it is about."""
    return next((word for word in map(str.casefold, tokens(unit)) if word in meant(unit)), "")


def difference(old: str, new: str) -> tuple[list[str], list[str]]:
    """The words that only the old sentence has, and those that only the new one has."""
    before, after = tokens(old), tokens(new)
    steps = [each for each in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if each[0] != "equal"]
    gone = [token for _, begin, end, _, _ in steps for token in before[begin:end]]
    return gone, [token for _, _, _, begin, end in steps for token in after[begin:end]]


def change_between(old: str, new: str) -> Change | None:
    """How two sentences about the same differ; None where they stand beside each other."""
    before, after = tokens(old), tokens(new)
    gone, come = difference(old, new)
    negated = [{token.casefold() for token in side if denies(token)} for side in (gone, come)]
    rest = {token.casefold() for token in (*gone, *come) if not denies(token)} - _FILLING
    if bool(negated[0]) != bool(negated[1]) and not rest:
        return Change(old, " ".join(gone), " ".join(come), contradicts=True)
    for kind, begin, end, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
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
    return Change(old, " ".join(gone), " ".join(come))


def contradicted(new: str, known: Iterable[str]) -> str:
    """The one of the known sentences that a new one denies, or that denies it; "" for none."""
    for old in known:
        change = change_between(old, new)
        if change and change.contradicts or denied(old, new):
            return old
    return ""


def _names(side: list[str], sentence: str) -> Iterator[bool]:
    """Which of the tokens are names: in capitals, and not for beginning the sentence."""
    for token in side:
        yield token[:1].isupper() and not sentence.startswith(token)
