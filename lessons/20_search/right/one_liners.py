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


def by_words(query, texts):
    docs = [words_of(text) for text in texts]
    mean = sum(map(len, docs)) / max(1, len(docs))
    have = {word: sum(word in doc for doc in docs) for word in words_of(query)}
    idf = {word: math.log(1 + (len(docs) - have[word] + 0.5) / (have[word] + 0.5)) for word in have}
    tf = lambda n, d: n * (K + 1) / (n + K * (1 - B + B * len(d) / mean))  # noqa: E731
    total = [sum(idf[word] * tf(doc.count(word), doc) for word in idf if word in doc) for doc in docs]
    return [number for number in sorted(range(len(docs)), key=total.__getitem__, reverse=True) if total[number] > 0]


def fuse(*rankings):
    points = sum((Counter({n: 1 / (STEADY + p) for p, n in enumerate(r, 1)}) for r in rankings), Counter())
    return [number for number, _ in points.most_common()]
