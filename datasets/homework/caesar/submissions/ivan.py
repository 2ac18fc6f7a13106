def encode(text, shift):
    result = ""
    for letter in text:
        if letter.islower():
            result += chr((ord(letter) + shift) % 26 + ord("a"))
        elif letter.isupper():
            result += chr((ord(letter) + shift) % 26 + ord("A"))
        else:
            result += letter
    return result


def decode(text, shift):
    return encode(text, -shift)
