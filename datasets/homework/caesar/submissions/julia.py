def shift_letter(letter, shift, first):
    return chr(ord(first) + (ord(letter) - ord(first) + shift) % 26)


def encode(text, shift):
    text = text.lower()
    return "".join(shift_letter(c, shift, "a") if c.isalpha() else c for c in text)


def decode(text, shift):
    return encode(text, -shift)
