def count_words(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,!?-")
        try:
            counts[word] += 1
        except KeyError:
            counts[word] = 1
    return counts


def longest(text):
    words = text.split()
    best = ""
    for i in range(1, len(words)):
        if len(words[i]) > len(best):
            best = words[i]
    return best
