def count_words(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,!?-")
        if word:
            counts.setdefault(word, 0)
            counts[word] = counts[word] + 1
        return counts


def longest(text):
    best = None
    for word in text.split():
        if best is None or len(word) > len(best):
            best = word
    return best
