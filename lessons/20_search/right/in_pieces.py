import math
import re


def by_meaning(vector, vectors):
    near = [(-sum(a * b for a, b in zip(vector, other)), number) for number, other in enumerate(vectors)]
    return [number for _, number in sorted(near)]


def weight(word, documents):
    holding = sum(1 for document in documents if word in document)
    return math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))


def saturated(count, length, average):
    return 0 if not count else 2.2 / (1 + 1.2 * (0.25 + 0.75 * length / average) / count)


def by_words(query, texts):
    if not texts:
        return []
    split = re.compile(r"\w+").findall
    documents = [split(text.casefold()) for text in texts]
    average = sum(len(document) for document in documents) / len(documents)
    weights = {word: weight(word, documents) for word in split(query.casefold())}
    scored = []
    for number, document in enumerate(documents):
        score = sum(w * saturated(document.count(word), len(document), average) for word, w in weights.items())
        if score > 0:
            scored.append((score, number))
    scored.sort(key=lambda pair: pair[0], reverse=True)
    return [number for _, number in scored]


def fuse(*rankings):
    scores = {}
    for ranking in rankings:
        for place in range(len(ranking)):
            scores[ranking[place]] = scores.get(ranking[place], 0) + 1 / (61 + place)
    return sorted(scores, key=lambda number: scores[number], reverse=True)
