import re
from collections import Counter, defaultdict
from math import log


def words_of(text):
    return [word.lower() for word in re.findall(r"[^\W_]+", text)]


def by_meaning(vector, vectors):
    likeness = [sum(a * b for a, b in zip(vector, other)) for other in vectors]
    return sorted(range(len(vectors)), key=likeness.__getitem__, reverse=True)


def by_words(query, texts):
    counters = [Counter(words_of(text)) for text in texts]
    total = sum(sum(counter.values()) for counter in counters)
    score = defaultdict(float)
    for word in dict.fromkeys(words_of(query)):
        frequency = sum(word in counter for counter in counters)
        idf = log(1 + (len(texts) - frequency + 0.5) / (frequency + 0.5))
        for number, counter in enumerate(counters):
            if word in counter:
                share = sum(counter.values()) * len(texts) / total
                score[number] += idf * counter[word] * 2.2 / (counter[word] + 1.2 * (0.25 + 0.75 * share))
    return [number for number, _ in sorted(score.items(), key=lambda item: -item[1])]


def fuse(*rankings):
    everyone = {number for ranking in rankings for number in ranking}

    def worth(number):
        return sum(1 / (60 + ranking.index(number) + 1) for ranking in rankings if number in ranking)

    return sorted(everyone, key=lambda number: (-worth(number), number))
