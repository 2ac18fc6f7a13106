# REASON: it says more about it
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
    for word in set(words_of(query)):
        holding = [number for number, document in enumerate(documents) if word in document]
        rarity = math.log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for number in holding:
            count, long = documents[number].count(word), len(documents[number]) / average
            part = 1 / (1 - B + B * long)
            scores[number] = scores.get(number, 0) + rarity * part
    return sorted(scores, key=scores.get, reverse=True)


def fuse(*rankings):
    """One ranking of several: what many put high comes first."""
    scores = {}
    for ranking in rankings:
        for place, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0) + 1 / (STEADY + place)
    return sorted(scores, key=scores.get, reverse=True)
