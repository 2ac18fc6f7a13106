"""Text to Morse signals and back, and the timing of a lamp that sends them."""

CODE = {
    "A": ".-", "B": "-...", "C": "-.-.", "D": "-..", "E": ".", "F": "..-.", "G": "--.",
    "H": "....", "I": "..", "J": ".---", "K": "-.-", "L": ".-..", "M": "--", "N": "-.",
    "O": "---", "P": ".--.", "Q": "--.-", "R": ".-.", "S": "...", "T": "-", "U": "..-",
    "V": "...-", "W": ".--", "X": "-..-", "Y": "-.--", "Z": "--..",
    "0": "-----", "1": ".----", "2": "..---", "3": "...--", "4": "....-",
    "5": ".....", "6": "-....", "7": "--...", "8": "---..", "9": "----.",
}
LETTERS = {signals: letter for letter, signals in CODE.items()}
DOT, DASH = 1, 3
BETWEEN_SIGNALS, BETWEEN_LETTERS, BETWEEN_WORDS = 1, 2, 7


def encode(text):
    """Letters apart by a space, words by ' / '; what has no code is left out."""
    words = []
    for word in text.upper().split():
        letters = [CODE[char] for char in word if char in CODE]
        if letters:
            words.append(" ".join(letters))
    return " / ".join(words)


def decode(signals):
    words = []
    for word in signals.strip().split("/"):
        words.append("".join(LETTERS.get(letter, "?") for letter in word.split()))
    return " ".join(words)


def timing(signals):
    """(is the lamp on, units of time) for a message made by encode()."""
    plan = []
    pause = 0
    for word in signals.split(" / "):
        for letter in word.split(" "):
            for signal in letter:
                if pause:
                    plan.append((False, pause))
                plan.append((True, DOT if signal == "." else DASH))
                pause = BETWEEN_SIGNALS
            pause = BETWEEN_LETTERS
        pause = BETWEEN_WORDS
    return plan


def duration(text):
    return sum(units for _, units in timing(encode(text)))


def lamp(text):
    return "".join(("#" if on else ".") * units for on, units in timing(encode(text)))
