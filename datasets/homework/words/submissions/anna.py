def count_words(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,!?;:-")
        if word:
            if word in counts:
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
