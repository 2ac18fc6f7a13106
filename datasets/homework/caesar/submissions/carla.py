ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def encode(text, shift):
    out = ""
    for letter in text:
        position = ALPHABET.find(letter.lower())
        if position == -1:
            out += letter
        else:
            new = ALPHABET[(position + shift) % 26]
            out += new
    return out


def decode(text, shift):
    return encode(text, -shift)
