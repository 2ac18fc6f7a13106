def encode(text, shift):
    result = ""
    for letter in text:
        if letter.islower():
            result = chr((ord(letter) - ord("a") + shift) % 26 + ord("a"))
        elif letter.isupper():
            result = chr((ord(letter) - ord("A") + shift) % 26 + ord("A"))
        else:
            result = letter
    return result


def decode(text, shift):
    return encode(text, shift)
