def count_words(text):
    counts = {}
    text.lower()
    for word in text.split():
        word.strip(".,!?-")
        if word != "":
            if word not in counts:
                counts[word] = 1
            else:
                counts[word] += 1
    return counts


def longest(text):
    best = ""
    for word in text.split():
        if len(word) > len(best):
            best = word
    return best
