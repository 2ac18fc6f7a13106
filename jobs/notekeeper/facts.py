"""What texts say, sentence by sentence: whether one says another's already, and what stands in it that is a fact.

Only what stands there word for word is said already: a number, a name, a unit or a "not" is a fact, and no measure of
likeness tells two of them apart.
"""

from __future__ import annotations

import re

from jobs.notekeeper.notes import paragraphs

MONTHS = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
NEGATIONS = frozenset(
    (
        *("no", "not", "never", "none", "nobody", "nothing", "without", "cannot", "nicht", "kein", "keine", "keinen"),
        *("nie", "niemals", "ohne", "ne", "pas", "jamais", "sans", "sin", "nunca", "não", "non", "senza", "не", "нет"),
        *("никогда", "без", "никто", "不", "没", "沒", "未", "无", "無", "ない", "ません"),
    )
)
_END = re.compile(  # "am 12. Oktober" is no end
    rf"(?<=[.!?])[\"')\]]*(?!(?<=\d\.)\s(?:{MONTHS})\b)\s+|(?<=[。！？])|\n(?=[^\S\n]*(?:[-*+>|#]|\d+[.)]))"
)
_LIST = re.compile(r"^\s*(?:[-*+>]|\d+[.)])\s+")
_TOKEN = re.compile(  # of a script without spaces each sign
    r"\d+(?:[.,:/-]\d+)*|ません|ない|[\u3040-\u30ff\u3400-\u9fff]"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+(?:['’][^\W\d_]+)*|[^\w\s]"
)


def units(block: str) -> list[str]:
    """The sentences and the lines of lists of a text, however its lines are broken."""
    flat = (" ".join(_LIST.sub("", part).split()) for part in _END.split(block))
    return [part for part in flat if part]


def tokens(unit: str) -> list[str]:
    """The words, numbers and signs of a sentence."""
    return _TOKEN.findall(unit)


def says(old: str, block: str) -> bool:
    """Whether a note says a paragraph already: word for word, one sentence after the other."""
    wanted = units(block)
    for paragraph in paragraphs(old):
        there = units(paragraph)
        if any(there[at : at + len(wanted)] == wanted for at in range(len(there) - len(wanted) + 1)):
            return True
    return False


def telling(text: str) -> list[str]:
    """The numbers, names and negations of a text: what two notes that are alike may differ in."""
    found = []
    for unit in units(text):
        for place, token in enumerate(tokens(unit)):
            if re.search(r"\d", token) or denies(token) or (place and token[:1].isupper()):
                found.append(token)
    return found


def denies(token: str) -> bool:
    return token.casefold() in NEGATIONS or bool(re.search(r"n['’]t$", token, re.IGNORECASE))
