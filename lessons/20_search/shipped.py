"""The real agent in place of the learner's search: its index of words, which is SQLite's, and its way to fuse."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from index import index, words


def by_words(query: str, texts: list[str]) -> list[int]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(words.CREATE)
        for number, text in enumerate(texts):
            words.add(database, number, "", "", text)
        return [*words.search(database, query, len(texts))]


def by_meaning(vector: list[float], vectors: list[list[float]]) -> list[int]:
    """The real one multiplies one matrix in numpy, which not every system has; the order is the same."""
    likeness = [sum(a * b for a, b in zip(vector, other, strict=True)) for other in vectors]
    return sorted(range(len(vectors)), key=lambda number: -likeness[number])


def fuse(*rankings: list[int]) -> list[int]:
    """The real one adds the scores themselves; here those that a place in a ranking is worth."""
    scores = [{number: 1 / (60 + place) for place, number in enumerate(each, 1)} for each in rankings]
    return [number for number, _ in index.fuse(*((max(each.values(), default=1.0), each) for each in scores))]
