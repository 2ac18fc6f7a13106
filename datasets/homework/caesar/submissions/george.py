import string


def encode(text, shift):
    lower = string.ascii_lowercase
    moved = lower[shift:] + lower[:shift]
    table = str.maketrans(lower, moved)
    return text.translate(table)


def decode(text, shift):
    return encode(text, -shift)
