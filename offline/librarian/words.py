"""Words of a question and of a text, and how well they meet. English endings are cut off, nothing more."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Words that a question is asked with, not about.
_ASKING = """
" a about all am an and any are as at be been between but by can could did do does each for from give given go had
happen happens has have how i if in into is it its just large like long made make makes may me might much my need
needed needs now of on one or our please say says shall should show so some steps sure system tell than that the their
them then there these they thing things this those to too us use used uses using want was way we were what when where
whether which who whom whose why will with work works would you your
"""
ASKING = frozenset(_ASKING.split())
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = ("ingly", "edly", "ation", "ions", "ing", "ion", "ers", "ed", "es", "er", "ly", "al", "s", "e")


def stems(text: str) -> list[str]:
    """The words of a text in order, lower-case, with names taken apart and without their endings."""
    words = [part for word in _WORD.findall(text) for part in _HUMP.split(word)]
    return [stem(word.lower()) for word in words]


def terms(question: str) -> list[str]:
    """What a question is about: its stems, each once, without the words that it is asked with."""
    words = [part.lower() for word in _WORD.findall(question) for part in _HUMP.split(word)]
    return list(dict.fromkeys(stem(word) for word in words if word not in ASKING))


def stem(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            cut = word[: -len(ending)]
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "aeiosl" else cut
    return word


def met(wanted: Iterable[str], text: str) -> set[str]:
    """Which of the stems stand in a text."""
    found = set(stems(text))
    return {each for each in wanted if each in found}


def share(wanted: list[str], text: str) -> float:
    """Which share of the stems stands in a text, from 0 to 1."""
    return len(met(wanted, text)) / len(wanted) if wanted else 0.0
