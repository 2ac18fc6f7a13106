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
    documents = []
    for text in texts:
        documents.append(words_of(text))
    total = 0
    for document in documents:
        total = total + len(document)
    if len(documents) > 0:
        average = total / len(documents)
    else:
        average = 0
    scores = {}
    for word in words_of(query):
        holding = 0
        for document in documents:
            if word in document:
                holding = holding + 1
        rarity = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for number in range(len(documents)):
            count = documents[number].count(word)
            if count > 0:
                length = len(documents[number])
                part = count * (K + 1) / (count + K * (1 - B + B * length / average))
                if number not in scores:
                    scores[number] = 0
                scores[number] = scores[number] + rarity * part
    return sorted(scores, key=lambda number: scores[number], reverse=True)


def fuse(*rankings):
    points = {}
    for ranking in rankings:
        place = 1
        for number in ranking:
            points[number] = points.get(number, 0) + 1 / (STEADY + place)
            place = place + 1
    return sorted(points, key=points.get, reverse=True)
