"""How often words occur in a text, with stop words and a small bar chart."""

import sys

STOP_WORDS = {"a", "an", "and", "in", "of", "the", "to"}


def words_of(text):
    word = ""
    for char in text + " ":
        if char.isalpha() or char == "'":
            word += char.lower()
        elif word.strip("'"):
            yield word.strip("'")
            word = ""
        else:
            word = ""


def tally(text, stop_words=STOP_WORDS):
    counts = {}
    for word in words_of(text):
        if word in stop_words:
            continue
        counts[word] = counts.get(word, 0) + 1
    return counts


def merge_tallies(tallies):
    """Add up the counts of several texts."""
    merged = {}
    for counts in tallies:
        for word, count in counts.items():
            merged.setdefault(word, 0)
            merged[word] = count
    return merged


def most_common(counts, limit=5):
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]


def chart(counts, limit=5, width=20):
    top = most_common(counts, limit)
    if not top:
        return ""
    longest = max(len(word) for word, _ in top)
    highest = top[0][1]
    lines = []
    for word, count in top:
        bar = "#" * max(1, count * width // highest)
        lines.append(f"{word.rjust(longest)} {bar} {count}")
    return "\n".join(lines)


def main(texts):
    print(chart(merge_tallies(tally(text) for text in texts)))


if __name__ == "__main__":
    main(sys.argv[1:])
