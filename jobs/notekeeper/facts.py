"""What texts say, sentence by sentence: whether one says another's already, and what stands in it that is a fact.

Only what stands there word for word is said already: a number, a name, a unit or a "not" is a fact, and no measure of
likeness tells two of them apart.
"""

from __future__ import annotations

import re
from itertools import pairwise

from jobs.notekeeper.notes import blocks

SENTENCES = 2**14  # of which is remembered what they say: each of a text is compared with each of a note
MONTHS = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
NEGATIONS = frozenset(
    (
        *("no", "not", "never", "none", "nobody", "nothing", "without", "cannot", "nicht", "kein", "keine", "keinen"),
        *("nie", "niemals", "ohne", "ne", "pas", "jamais", "sans", "sin", "nunca", "não", "non", "senza", "не", "нет"),
        *("никогда", "без", "никто", "不", "没", "沒", "未", "无", "無", "ない", "ません"),
    )
)
# "Dr. May", "J. Roe", "St. Anna", "No. 5" go on.
_GOES_ON = (
    r"(?<!\b[A-HJ-ZÀ-ÞА-Я]\.)(?<!\b(?:[A-Z][bdfghjklmnprstvxz]|No|ca)\.)(?<!\b(?:Dra|Mrs|Sra|Str|Tel)\.)(?<!\bProf\.)"
)
_END = re.compile(  # "am 12. Oktober" is no end
    rf"(?<=[.!?]){_GOES_ON}[\"')\]]*(?!(?<=\d\.)\s(?:{MONTHS})\b)\s+|(?<=[。！？])|\n(?=[^\S\n]*(?:[-*+>|#]|\d+[.)]))"
)
_LIST = re.compile(r"^\s*(?:[-*+>]|\d+[.)])\s+")
_AS_IT_STANDS = re.compile(r"^(?:`{3}|~{3}|#|[^\S\n])", re.MULTILINE)  # code, a heading, what is indented
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
    """Whether a note says a block already: word for word, one sentence after the other, each with the sign of its list;
    what is code, a heading or indented line by line, as it stands."""
    wanted = _said(block)
    return any(_in_a_row(wanted, there) for there in map(_said, blocks(old)))


def has_words(text: str, words: str) -> bool:
    """Whether these words stand in a text one after the other, in small letters or in capitals."""
    return _in_a_row(tokens(words.casefold()), tokens(text.casefold()))


def _in_a_row(wanted: list[str], there: list[str]) -> bool:
    return any(there[at : at + len(wanted)] == wanted for at in range(len(there) - len(wanted) + 1))


def _said(block: str) -> list[str]:
    block = block.replace("\r\n", "\n")
    if _AS_IT_STANDS.search(block):
        return block.split("\n")
    ends = [0, *(found.end() for found in _END.finditer(block)), len(block)]
    parts = (" ".join(map(str.strip, block[start:end].split("\n"))).strip() for start, end in pairwise(ends))
    return [part for part in parts if part]


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
