def count_words(text):
    counts = {}
    words = text.split(" ")
    for word in words:
        word = word.lower()
        word = word.strip(",.!?-")
        if word not in counts:
            counts[word] = 0
        counts[word] += 1
    return counts


def longest(text):
    words = text.split(" ")
    best = words[0]
    for word in words:
        if len(word) >= len(best):
            best = word
    return best
