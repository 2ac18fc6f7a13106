def encode(text, shift):
    result = ""
    for letter in text:
        if letter.islower():
            result += chr((ord(letter) - ord("a") + shift) % 25 + ord("a"))
        if letter.isupper():
            result += chr((ord(letter) - ord("A") + shift) % 25 + ord("A"))
        else:
            result += letter
    return result


def decode(text, shift):
    return encode(text, -shift)
