"""How usual a change is in the file that it is made in: a model of that file's own words, by the three before each.

Programs repeat themselves, and most of all within a file (Tu, Su and Devanbu, "On the localness of software", 2014); a
mistake stands out there (Ray et al., "On the naturalness of buggy code", 2016). Mixed as in `naturalness.py`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log

from .naturalness import mixed

WORD = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*|\w+|[<>=!*/+\-&|^%]=|\*\*|//|->|\n|[^\s\w]')
BEFORE = 3  # words that one is expected by
UNHEARD = 1 / 2000  # how likely a word is that the file does not know

Counts = dict[tuple[str, ...], Counter[str]]


def unusual(before: str, after: str) -> float:
    """By how many bits (natural logarithm) a change makes a file stranger to a reader who knows the rest of it."""
    old, new = _words(before), _words(after)
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - start
    same = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    ends = [min(len(words), len(words) - same + BEFORE) for words in (old, new)]
    itself = _counted(old, start, ends[0])
    costs = [_cost(words, start, end, _known(before), itself) for words, end in zip((old, new), ends, strict=True)]
    return costs[1] - costs[0]


@lru_cache(maxsize=64)
def _words(text: str) -> Sequence[str]:
    return [word for word in WORD.findall(text) if not word.startswith("#")]


@lru_cache(maxsize=8)
def _known(text: str) -> Counts:
    words = _words(text)
    return _counted(words, 0, len(words))


def _counted(words: Sequence[str], start: int, end: int) -> Counts:
    """Context -> word -> how often, of the words from `start` to `end`."""
    counts: Counts = defaultdict(Counter)
    for word, contexts in _placed(words, start, end):
        for context in contexts:
            counts[context][word] += 1
    return counts


def _placed(words: Sequence[str], start: int, end: int) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Each word with what stands before it, the widest context (nothing) first."""
    for at in range(start, end):
        yield words[at], [tuple(words[max(0, at - many) : at]) for many in range(BEFORE + 1)]


def _cost(words: Sequence[str], start: int, end: int, known: Counts, itself: Counts) -> float:
    """How strange some words are. What stands where the change is made does not speak for itself."""
    cost = 0.0
    for word, contexts in _placed(words, start, end):
        likely = UNHEARD
        for context in contexts:
            seen, own = known.get(context), itself.get(context)
            likely = mixed(seen - own if seen and own else seen, word, likely)
        cost -= log(likely)
    return cost
