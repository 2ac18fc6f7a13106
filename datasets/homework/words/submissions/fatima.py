def count_words(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,!?-")
        if len(word) > 0:
            counts[word] = text.count(word)
    return counts


def longest(text):
    longest_word = ""
    for word in text:
        if len(word) > len(longest_word):
            longest_word = word
    return longest_word
