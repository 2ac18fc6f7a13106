"""Texts compared by the beginnings of their words, and by pairs of signs where a script has no spaces.

This finds "tomate" for "tomates" and 番茄 in a sentence, in languages that no embedding here knows and no stemmer. Rare
beginnings count more: what most notes share says nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping

BEGINNING = 5  # letters of a word
LOOKED_AT = 2_000  # characters of a note
RARE = 0.34  # of the notes, beyond the first few: what more of them hold is not counted
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
_PLAIN = re.compile(
    r"[\u3040-\u309f]|[的了在是和有也要把每一不就都而及与着个这那到里上下用以前后]"
)  # grammar, no topic
_ENGLISH = frozenset(
    (
        *("the", "and", "for", "with", "that", "this", "from", "have", "has", "was", "are", "you", "not", "but", "all"),
        *("into", "they", "them", "when", "until", "every", "next", "last", "after", "before", "want", "need", "needs"),
        *("the", "a", "an", "to", "of", "in", "is", "on", "be", "it", "at", "by", "or", "as", "my", "we", "i"),
    )
)
_OTHER = frozenset(
    (
        *("der", "die", "das", "und", "den", "dem", "des", "ein", "eine", "einen", "für", "mit", "auf", "von", "bei"),
        *("nach", "muss", "müssen", "wird", "werden", "nicht", "sind", "noch", "jede", "jeden", "dann", "sonst", "zum"),
        *(
            "les",
            "des",
            "une",
            "dans",
            "pour",
            "avec",
            "sur",
            "est",
            "sont",
            "aux",
            "par",
            "que",
            "qui",
            "faut",
            "doit",
        ),
        *(
            "pas",
            "plus",
            "bien",
            "aussi",
            "los",
            "las",
            "una",
            "con",
            "por",
            "para",
            "del",
            "que",
            "tiene",
            "hay",
            "como",
        ),
        *("este", "esta", "más", "menos", "antes", "cada", "del", "для", "что", "как", "это", "они", "его", "нужно"),
        *("надо", "уже", "когда", "каждый", "лучше", "раз", "она", "или", "если", "при", "над", "под"),
    )
)


def foreign(text: str) -> bool:
    """Whether it is in another language than English, as far as its letters and its commonest words tell."""
    letters = [sign for sign in text if sign.isalpha()]
    if sum(sign > "\u036f" for sign in letters) > 0.3 * len(letters):
        return True
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return sum(word in _OTHER for word in words) > sum(word in _ENGLISH for word in words)


def forms(text: str) -> frozenset[str]:
    """The beginnings of a text's words, and its pairs of signs."""
    text = text[:LOOKED_AT].casefold()
    signs = (_PLAIN.sub(" ", run).split() for run in _UNSPACED.findall(text))
    pairs = {part[at : at + 2] for run in signs for part in run for at in range(len(part) - 1)}
    words = {word for word in _WORD.findall(_UNSPACED.sub(" ", text)) if word not in _ENGLISH | _OTHER}
    return frozenset(pairs | {word[:BEGINNING] for word in words})


def nearest(
    query: frozenset[str], notes: Mapping[str, frozenset[str]], limit: int
) -> list[tuple[str, float, list[str]]]:
    """The notes that share most with a text: path, likeness from 0 to 1, what they share, the rarest first."""
    held = Counter(form for own in notes.values() for form in own & query)
    most = max(3, RARE * len(notes))
    weigh = {form: math.log(1 + len(notes) / count) for form, count in held.items() if count <= most}
    whole = sum(weigh.get(form, math.log(1 + len(notes))) for form in query) or 1.0
    found = []
    for path, own in notes.items():
        if shared := sorted(own & weigh.keys(), key=lambda form: (-weigh[form], form)):
            found.append((path, sum(weigh[form] for form in shared) / whole, shared))
    return sorted(found, key=lambda each: (-each[1], each[0]))[:limit]
