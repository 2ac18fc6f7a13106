import functools
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
    documents = tuple(tuple(words_of(text)) for text in texts)

    @functools.cache
    def rarity(word):
        holding = len([1 for document in documents if word in document])
        return math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))

    def score(document, words):
        if not words:
            return 0
        word, *rest = words
        count = document.count(word)
        average = sum(map(len, documents)) / len(documents)
        part = count * (K + 1) / (count + K * (1 - B + B * len(document) / average)) if count else 0
        return rarity(word) * part + score(document, rest)

    words = words_of(query)
    ranked = ((score(document, words), -number) for number, document in enumerate(documents) if {*words} & {*document})
    return [-number for _, number in sorted(ranked, reverse=True)]


def fuse(*rankings):
    if not rankings:
        return []
    everything = list(dict.fromkeys(number for ranking in rankings for number in ranking))
    places = [{number: place for place, number in enumerate(ranking, start=1)} for ranking in rankings]
    everything.sort(key=lambda n: sum(1 / (STEADY + place[n]) if n in place else 0 for place in places), reverse=True)
    return everything
