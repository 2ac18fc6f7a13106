import heapq
from collections import defaultdict
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


def postings(documents):
    """word -> [(text, how often)]"""
    found = defaultdict(list)
    for number, document in enumerate(documents):
        for word in sorted(set(document)):
            found[word].append((number, document.count(word)))
    return found


def best_first(scores):
    heap = [(-score, number) for number, score in scores.items()]
    heapq.heapify(heap)
    while heap:
        yield heapq.heappop(heap)[1]


def by_words(query, texts):
    documents = [words_of(text) for text in texts]
    lists, scores = postings(documents), defaultdict(float)
    average = sum(len(document) for document in documents) / (len(documents) or 1)
    for word in words_of(query):
        held = lists.get(word, [])
        rarity = math.log1p((len(documents) - len(held) + 0.5) / (len(held) + 0.5))
        for number, count in held:
            share = 1 - B + B * len(documents[number]) / average
            scores[number] += rarity * count * (K + 1) / (count + K * share)
    return list(best_first(scores))


def fuse(*rankings):
    scores = defaultdict(float)
    for ranking in rankings:
        for place, number in enumerate(ranking):
            scores[number] += 1 / (STEADY + place + 1)
    return [*best_first(scores)]
