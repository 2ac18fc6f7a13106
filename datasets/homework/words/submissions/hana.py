def count_words(text):
    counts = {}
    for word in text.lower().split():
        for mark in ".,!?-":
            word = word.replace(mark, "")
        if word:
            counts[word] = counts.get(word, 1) + 1
    return counts


def longest(text):
    best = ""
    length = 0
    for word in text.split():
        if len(word) > length:
            best = word
    return best
