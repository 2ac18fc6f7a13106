def encode(text, shift):
    result = ""
    for letter in text:
        if letter.isupper():
            start = ord("A")
        else:
            start = ord("a")
        result += chr((ord(letter) - start + shift) % 26 + start)
    return result


def decode(text, shift):
    return encode(text, -shift)
