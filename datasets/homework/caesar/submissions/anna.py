def encode(text, shift):
    result = ""
    for c in text:
        if c.islower():
            result += chr((ord(c) - 97 + shift) % 26 + 97)
        elif c.isupper():
            result += chr((ord(c) - 97 + shift) % 26 + 65)
        else:
            result += c
    return result


def decode(text, shift):
    return encode(text, 26 - shift)
