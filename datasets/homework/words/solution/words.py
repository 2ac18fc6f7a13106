def count_words(text):
    """How often each word occurs, in small letters, without the marks around it."""
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,!?;:-")
        if word:
            counts[word] = counts.get(word, 0) + 1
    return counts


def longest(text):
    """The first of the longest words, "" when there is none."""
    best = ""
    for word in text.split():
        if len(word) > len(best):
            best = word
    return best
