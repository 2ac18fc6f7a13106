import math
import re
from dataclasses import dataclass


def by_meaning(vector, vectors):
    return sorted(range(len(vectors)), key=lambda i: sum(a * b for a, b in zip(vector, vectors[i])), reverse=True)


@dataclass
class Text:
    number: int
    words: list

    def part(self, word, average):
        count = self.words.count(word)
        return count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(self.words) / average)) if count else 0.0


def by_words(query, texts):
    shelf = [Text(number, re.findall(r"\w+", text.lower())) for number, text in enumerate(texts)]
    average = sum(len(text.words) for text in shelf) / (len(shelf) or 1)
    totals = [0.0] * len(shelf)
    for word in set(re.findall(r"\w+", query.lower())):
        holding = sum(word in text.words for text in shelf)
        for text in shelf:
            rarity = math.log1p((len(shelf) - holding + 0.5) / (holding + 0.5))
            totals[text.number] += rarity * text.part(word, average)
    return sorted((n for n, total in enumerate(totals) if total), key=totals.__getitem__, reverse=True)


def fuse(*rankings):
    sums = {}
    for ranking in reversed(rankings):
        for place, number in enumerate(ranking):
            sums[number] = sums.get(number, 0) + 1 / (61 + place)
    return [number for number, _ in sorted(sums.items(), key=lambda pair: -pair[1])]
