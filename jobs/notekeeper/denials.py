"""Whether one sentence denies another in other words: "is allergic to nuts", "has no allergy to nuts".

Just one of the two has a "not", and what that one says stands in the other too, word for word but for endings and for
words such as "is" and "has". The other may go on behind it ("no allergy", "allergic to nuts"), and say nothing between:
"is not in the kitchen" does not deny "sleeps in the kitchen". A word too many is taken for another fact.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from jobs.notekeeper.facts import SENTENCES, denies, tokens

ALIKE = 0.6  # of a word's letters, from its beginning: "allergic", "allergy"
LEAST = 3  # letters
_SAY_NOTHING = """
a an any the there is am are was were be been do does did has have had of at in on to for with from by and it longer
more anymore ever
der die das den dem des ein eine einen einem einer ist sind war hat habe haben hatte es gibt im am um zum zur bei in auf
an von vom und mehr gegen vor
le la les l un une du de des d au aux est sont a ont avait il y en et plus
el los las un una es está son hay tiene tienen tenía al a del en por ya más o os as um uma é tem há
il lo gli i uno è sono ha hanno c'è alla al ai agli di da più
у в на с есть был была было были и же больше
有 是 的 了 は が を に で す あ り ま
"""
_NOTHING = frozenset(_SAY_NOTHING.split())
_ELIDED = re.compile(r"^(?:[dlnjsmtc]|qu|all|dell|un)['’](?=[^\W\d_])")
_ENDINGS = ("", "n", "s", "en", "es")  # of a name, and of a German noun


def denied(one: str, other: str) -> bool:
    """Whether two sentences deny each other. A question denies nothing."""
    if one.endswith(("?", "？")) or other.endswith(("?", "？")):
        return False
    no, yes = _denying(one), _denying(other)
    if no == yes:
        return False
    short, long = (_words(one), _words(other)) if no else (_words(other), _words(one))
    if len(short) < 2 or len(long) < len(short):
        return False
    return all(map(_alike, short, long))


@lru_cache(SENTENCES)
def _denying(sentence: str) -> bool:
    return any(denies(token) for token in tokens(sentence))


@lru_cache(SENTENCES)
def _words(sentence: str) -> list[str]:
    """What a sentence says, in its order, without its "not"."""
    said = [_ELIDED.sub("", token) for token in tokens(sentence) if re.match(r"\w", token) and not denies(token)]
    return [word for word in said if word.casefold() not in _NOTHING]


def _alike(one: str, other: str) -> bool:
    """Whether two words are one but for the ending. Another number or another name is another fact."""
    short, long = sorted((one, other), key=len)
    if one[:1].isupper() and other[:1].isupper():
        return long.startswith(short) and long[len(short) :] in _ENDINGS
    first, second = _plain(one), _plain(other)
    if first == second:
        return True
    same = next(
        (at for at, (x, y) in enumerate(zip(first, second, strict=False)) if x != y), min(map(len, (one, other)))
    )
    return not re.search(r"\d", one + other) and same >= LEAST and same >= ALIKE * max(len(first), len(second))


def _plain(word: str) -> str:
    """In small letters, without accents: "alérgica", "alergia"."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))
