def count_words(text):
    counts = {}
    word = ""
    for letter in text.lower():
        if letter.isalpha():
            word += letter
        else:
            counts[word] = counts.get(word, 0) + 1
            word = ""
    return counts


def longest(text):
    best = ""
    for word in text.split():
        if len(word) > len(best):
            best = word
    return best
