"""Numbers that check themselves: books, goods, bank accounts and bank cards."""

import re
import string


class NumberError(ValueError):
    pass


def only(text, allowed):
    text = re.sub(r"[\s-]", "", text).upper()
    for char in text:
        if char not in allowed:
            raise NumberError(f"{char!r} does not belong there")
    return text


def old_book_digit(text):
    """The tenth digit of an old book number; X stands for ten."""
    digits = only(text, string.digits)
    total = sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), digits))
    rest = -total % 11
    return "X" if rest == 10 else str(rest)


def goods_digit(text):
    """The last digit of an article number: weights 1 and 3 by turns, the last place before it has 3."""
    digits = only(text, string.digits)
    total = sum((3 if place % 2 == 0 else 1) * int(digit) for place, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def as_number(text):
    """Letters count from 10 for A to 35 for Z."""
    return int("".join(str(int(char, 36)) for char in text))


def account_digits(country, account):
    """The two check digits of an international account number."""
    country = only(country, string.ascii_uppercase)
    account = only(account, string.digits + string.ascii_uppercase)
    return f"{97 - as_number(account + country + '00') % 97:02d}"


def international(country, account):
    """Written in groups of four."""
    number = country.upper() + account_digits(country, account) + only(account, string.digits + string.ascii_uppercase)
    return " ".join(number[i : i + 4] for i in range(0, len(number), 4))


def card_digit(text):
    """Every second digit from the right is doubled, and the digits of what comes out are added."""
    total = 0
    for place, digit in enumerate(reversed(only(text, string.digits))):
        value = int(digit)
        if place % 2 == 0:
            value *= 2
            if value > 9:
                value -= 9
        total += value
    return str(-total % 10)


CHECKS = {"goods": goods_digit, "card": card_digit, "old book": old_book_digit}


def is_valid(kind, text):
    if kind == "account":
        number = only(text, string.digits + string.ascii_uppercase)
        return len(number) > 4 and as_number(number[4:] + number[:4]) % 97 == 1
    number = only(text, string.digits + "X")
    return CHECKS[kind](number[:-1]) == number[-1]


def new_book_number(text):
    """An old book number as a new one of thirteen digits."""
    if not is_valid("old book", text):
        raise NumberError("the number has a mistake in it")
    digits = "978" + only(text, string.digits + "X")[:9]
    return digits + goods_digit(digits)
