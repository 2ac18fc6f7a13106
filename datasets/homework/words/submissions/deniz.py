def count_words(text):
    clean = ""
    for letter in text:
        if letter.isalpha():
            clean += letter.lower()
    counts = {}
    for word in clean.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def longest(text):
    best = ""
    for word in text.split():
        if len(word) > len(best):
            best = word
    return best
