def count_words(text):
    counts = {}
    for word in text.split():
        word = word.strip(".,!?-")
        if word == "":
            continue
        counts[word] = counts.get(word, 0) + 1
    return counts


def longest(text):
    words = text.split()
    return max(words, key=len)
