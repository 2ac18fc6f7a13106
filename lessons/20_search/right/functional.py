import re
from functools import partial
from math import log
from operator import mul

words_of = partial(re.findall, r"\w+")


def by_meaning(vector, vectors):
    return sorted(range(len(vectors)), key=lambda number: -sum(map(mul, vector, vectors[number])))


def by_words(query, texts):
    documents = list(map(words_of, map(str.casefold, texts)))
    lengths = list(map(len, documents))

    def rarity(word):
        holding = sum(word in document for document in documents)
        return log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))

    def part(word, number):
        count = documents[number].count(word)
        return count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[number] / (sum(lengths) / len(lengths))))

    asked = {word: rarity(word) for word in words_of(query.casefold())}
    scores = {n: sum(weight * part(word, n) for word, weight in asked.items()) for n in range(len(texts))}
    return sorted(filter(scores.get, scores), key=scores.get, reverse=True)


def fuse(*rankings):
    numbers = dict.fromkeys(number for ranking in rankings for number in ranking)
    places = [{number: place for place, number in enumerate(ranking, 1)} for ranking in rankings]
    return sorted(numbers, key=lambda n: sum(1 / (60 + each[n]) for each in places if n in each), reverse=True)
