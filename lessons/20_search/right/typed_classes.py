from __future__ import annotations
from collections import Counter
import math
import re

K, B = 1.2, 0.75  # how soon a repeated word counts no more; how much a long text has to share what it has
STEADY = 60


def words_of(text):
    return re.findall(r"\w+", text.lower())


def by_meaning(vector, vectors):
    """Given: the numbers of all texts, nearest first. A vector is a place; texts of like meaning lie close."""
    likeness = [sum(a * b for a, b in zip(vector, other)) for other in vectors]
    return sorted(range(len(vectors)), key=lambda number: -likeness[number])


class Corpus:
    def __init__(self, texts: list[str]) -> None:
        self.counts: list[Counter[str]] = [Counter(words_of(text)) for text in texts]
        self.lengths: list[int] = [counter.total() for counter in self.counts]
        self.average: float = sum(self.lengths) / len(texts) if texts else 0.0

    def rarity(self, word: str) -> float:
        holding: int = sum(word in counter for counter in self.counts)
        return math.log(1 + (len(self.counts) - holding + 0.5) / (holding + 0.5))

    def part(self, word: str, number: int) -> float:
        count: int = self.counts[number][word]
        return count * (K + 1) / (count + K * (1 - B + B * self.lengths[number] / self.average))

    def score(self, query: str, number: int) -> float:
        return sum(self.rarity(word) * self.part(word, number) for word in words_of(query))

    def holders(self, query: str) -> list[int]:
        wanted: set[str] = set(words_of(query))
        return [number for number, counter in enumerate(self.counts) if wanted & counter.keys()]


def by_words(query: str, texts: list[str]) -> list[int]:
    corpus = Corpus(texts)
    return sorted(corpus.holders(query), key=lambda number: corpus.score(query, number), reverse=True)


def fuse(*rankings: list[int]) -> list[int]:
    def worth(number: int) -> float:
        return sum(1 / (STEADY + ranking.index(number) + 1) for ranking in rankings if number in ranking)

    return sorted({number for ranking in rankings for number in ranking}, key=worth, reverse=True)
