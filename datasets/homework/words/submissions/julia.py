def count_words(text):
    words = text.lower().replace(",", "").replace("!", "").replace(".", "").split()
    counts = {}
    for word in words:
        counts[word] = words.count(word)
    return counts


def longest(text):
    best = ""
    for word in text.split():
        if len(word) > len(best):
            best = word
    return best
