def encode(text, shift):
    letters = []
    for c in text:
        if "a" <= c <= "z":
            letters.append(chr((ord(c) - ord("a") + shift) % 26 + ord("a")))
        elif "A" <= c <= "Z":
            letters.append(chr((ord(c) - ord("A") + shift) % 26 + ord("A")))
    return "".join(letters)


def decode(text, shift):
    return encode(text, -shift)
