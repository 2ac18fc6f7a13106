"""Tags on articles: clean them, count them and size them for a cloud."""

import math


def clean(tag):
    return "-".join(tag.strip().lower().split())


class TagIndex:
    def __init__(self):
        self.articles = {}

    def add(self, article, *tags):
        known = self.articles.setdefault(article, set())
        known.update(clean(tag) for tag in tags if clean(tag)

    def counts(self):
        counts = {}
        for tags in self.articles.values():
            for tag in tags:
                counts[tag] = counts.get(tag, 0) + 1
        return counts

    def related(self, tag):
        """Tags that occur together with a tag, most frequent first."""
        together = {}
        for tags in self.articles.values():
            if tag in tags:
                for other in tags - {tag}:
                    together[other] = together.get(other, 0) + 1
        return sorted(together, key=lambda other: (-together[other], other))

    def sizes(self, smallest=10, largest=30):
        """Font size by tag, on a logarithmic scale."""
        counts = self.counts()
        if not counts:
            return {}
        low, high = math.log(min(counts.values())), math.log(max(counts.values()))
        if low == high:
            return {tag: smallest for tag in counts}
        scale = (largest - smallest) / (high - low)
        return {tag: round(smallest + (math.log(n) - low) * scale) for tag, n in counts.items()}
