"""Lesson 20: search by words and by meaning."""

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


def by_words(query, texts):
    """The numbers of the texts that hold a word of the query, best first, by BM25."""
    documents = [words_of(text) for text in texts]
    average = sum(map(len, documents)) / max(1, len(documents))
    scores = {}
    raise NotImplementedError("for each word of the query: how rare is it, and how much of it is in each text")


def fuse(*rankings):
    """One ranking of several: what many put high comes first."""
    raise NotImplementedError("a text gets 1 / (STEADY + its place) from each ranking that it stands in")
