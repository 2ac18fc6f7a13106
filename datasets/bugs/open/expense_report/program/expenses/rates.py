"""Currencies in whole minor units, with rates to the home currency in ten-thousandths."""

RATES = {"EUR": 10000, "USD": 9200, "GBP": 11700, "CHF": 10500}


class UnknownCurrency(KeyError):
    pass


def to_home(amount, currency):
    if currency not in RATES:
        raise UnknownCurrency(currency)
    return (amount * RATES[currency] + 5000) // 10000
