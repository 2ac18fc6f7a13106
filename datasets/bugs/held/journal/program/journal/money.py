"""Amounts as whole hundredths by currency, so that nothing is ever rounded."""

import re

AMOUNT = re.compile(r"(-?)(\d+)(?:\.(\d\d))?(?:\s+([A-Z]{3}))?$")
DEFAULT = "EUR"


def parse_amount(text):
    """'-12.50 CHF' -> (-1250, 'CHF')"""
    match = AMOUNT.match(text.strip())
    if not match:
        raise ValueError(f"not an amount: {text}")
    sign, whole, cents, currency = match.groups()
    value = int(whole) * 100 + int(cents or 0)
    return (-value if sign else value), currency or DEFAULT


def show_amount(value, currency):
    sign = "-" if value < 0 else ""
    whole, cents = divmod(abs(value), 100)
    return f"{sign}{whole}.{cents:02d} {currency}"


class Purse:
    """Sums in several currencies."""

    def __init__(self, sums=None):
        self.sums = dict(sums or {})

    def add(self, value, currency):
        total = self.sums.get(currency, 0) + value
        if total:
            self.sums[currency] = total
        else:
            self.sums.pop(currency, None)

    def add_all(self, other):
        for currency, value in other.sums.items():
            self.add(value, currency)

    def __eq__(self, other):
        return isinstance(other, Purse) and self.sums == other.sums

    def __bool__(self):
        return bool(self.sums)

    def __str__(self):
        if not self.sums:
            return "0"
        return ", ".join(show_amount(value, currency) for currency, value in sorted(self.sums.items()))

    def __repr__(self):
        return f"Purse({self})"
