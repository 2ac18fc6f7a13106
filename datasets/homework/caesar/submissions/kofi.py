def encode(text, shift):
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    result = ""
    for letter in text:
        if letter in alphabet:
            index = alphabet.index(letter) + shift
            if index >= 26:
                index -= 26
            result += alphabet[index]
        elif letter in alphabet.upper():
            index = alphabet.upper().index(letter) + shift
            if index >= 26:
                index -= 26
            result += alphabet.upper()[index]
        else:
            result += letter
    return result


def decode(text, shift):
    return encode(text, -shift)
