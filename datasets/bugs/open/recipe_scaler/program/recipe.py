"""Scale the ingredients of a recipe and print them in kitchen fractions."""

from fractions import Fraction

KITCHEN = [Fraction(n, d) for n, d in ((1, 4), (1, 3), (1, 2), (2, 3), (3, 4))]


def parse_amount(text):
    """'1 1/2' -> 3/2"""
    return sum((Fraction(part) for part in text.split()), Fraction(0))


def show_amount(amount):
    whole, rest = divmod(amount, 1)
    if rest == 0:
        return str(whole)
    nearest = min(KITCHEN + [Fraction(0), Fraction(1)], key=lambda f: abs(f - rest))
    if nearest == 1:
        return str(whole + 1)
    if nearest == 0:
        return str(whole) if whole else "a pinch"
    return f"{whole} {nearest}" if whole else str(nearest)


class Recipe:
    def __init__(self, title, serves):
        self.title = title
        self.serves = serves
        self.ingredients = []

    def add(self, amount, unit, name):
        self.ingredients.append((parse_amount(amount), unit, name))

    def scaled(self, people):
        if people < 1
            raise ValueError("nobody to cook for")
        factor = Fraction(people, self.serves)
        result = Recipe(self.title, people)
        result.ingredients = [(amount * factor, unit, name) for amount, unit, name in self.ingredients]
        return result

    def listing(self):
        lines = [f"{self.title} (serves {self.serves})"]
        for amount, unit, name in self.ingredients:
            lines.append(" ".join(part for part in (show_amount(amount), unit, name) if part))
        return "\n".join(lines)
