def encode(text, shift):
    new = ""
    for letter in text:
        if letter.isalpha():
            number = ord(letter) + shift
            if letter.islower() and number > ord("z"):
                number = number - 26
            if letter.isupper() and number > ord("Z"):
                number = number - 26
            new += chr(number)
        else:
            new += letter
    return new


def decode(text, shift):
    return encode(text, 26 - shift)
