import re
from collections import defaultdict
from math import log


def by_meaning(vector, vectors):
    likeness = {number: sum(a * b for a, b in zip(vector, each)) for number, each in enumerate(vectors)}
    return sorted(likeness, key=likeness.get, reverse=True)


def by_words(query, texts):
    """Word by word into an inverted index: {word: {number of the text: how often}}."""
    index, lengths = defaultdict(dict), []
    for number, text in enumerate(texts):
        words = re.findall(r"\w+", text.lower())
        lengths.append(len(words))
        for word in words:
            index[word][number] = index[word].get(number, 0) + 1
    scores = defaultdict(float)
    for word in dict.fromkeys(re.findall(r"\w+", query.lower())):
        rarity = log(1 + (len(texts) - len(index[word]) + 0.5) / (len(index[word]) + 0.5))
        for number, count in index[word].items():
            share = lengths[number] * len(lengths) / sum(lengths)
            scores[number] += rarity * count * 2.2 / (count + 1.2 * (1 - 0.75 + 0.75 * share))
    return [number for _, number in sorted(((score, number) for number, score in scores.items()), reverse=True)]


def fuse(*rankings):
    worth = defaultdict(float)
    for ranking in rankings:
        for place, number in enumerate(ranking, start=1):
            worth[number] += 1 / (60 + place)
    return sorted(worth, key=worth.__getitem__, reverse=True)
