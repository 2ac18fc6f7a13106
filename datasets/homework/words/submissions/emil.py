from collections import Counter


def count_words(text):
    words = [word.strip(".,!?-") for word in text.lower().split()]
    return dict(Counter(words))


def longest(text):
    return sorted(text.split(), key=len)[-1]
