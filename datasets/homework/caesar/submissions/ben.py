def encode(text, shift):
    result = ""
    for letter in text:
        if letter.isalpha():
            result += chr(ord(letter) + shift)
        else:
            result += letter
    return result


def decode(text, shift):
    return encode(text, -shift)
