"""Colours as (red, green, blue) from 0 to 255: parsing, mixing, contrast and nearest names."""

NAMES = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "grey": (128, 128, 128),
    "orange": (255, 165, 0),
}


def parse(text):
    """'#ff8800', '#f80', 'rgb(255, 136, 0)' or a name."""
    text = text.strip().lower()
    if text in NAMES:
        return NAMES[text]
    if text.startswith("#"):
        return parse_hex(text[1:])
    if text.startswith("rgb(") and text.endswith(")"):
        return checked(int(part) for part in text[4:-1].split(","))
    raise ValueError(f"not a colour: {text}")


def parse_hex(digits):
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    if len(digits) != 6:
        raise ValueError(f"not a colour: #{digits}")
    return tuple(int(digits[i : i + 2], 16) for i in (0, 2, 4))


def checked(values):
    colour = tuple(values)
    if len(colour) != 3 or not all(0 <= value <= 255 for value in colour):
        raise ValueError(f"not a colour: {colour}")


def to_hex(colour):
    return "#" + "".join(f"{value:02x}" for value in colour)


def mix(first, second, share=0.5):
    """share 0 is the first colour, 1 the second."""
    return tuple(round(a + (b - a) * share) for a, b in zip(first, second))


def brightness(colour):
    red, green, blue = colour
    return (299 * red + 587 * green + 114 * blue) // 1000


def text_colour(background):
    return "black" if brightness(background) >= 128 else "white"


def nearest_name(colour):
    def distance(name):
        return sum((a - b) ** 2 for a, b in zip(colour, NAMES[name]))

    return min(NAMES, key=distance)


def gradient(first, second, steps):
    if steps < 2:
        raise ValueError("a gradient has two ends")
    return [to_hex(mix(first, second, i / (steps - 1))) for i in range(steps)]
