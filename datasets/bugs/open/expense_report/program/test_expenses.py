import pytest

from expenses.rates import UnknownCurrency, to_home
from expenses.report import Item, by_category, by_day, parse_items, refunded, render

TEXT = """
mon meals 12.50
mon hotel 140 CHF
tue meals 35.00
tue meals 20.00 USD
tue taxi 18.9
"""


@pytest.fixture
def items():
    return parse_items(TEXT)


def test_parse(items):
    assert items[0] == Item("mon", "meals", 1250, "EUR")
    assert items[4].amount == 1890


@pytest.mark.parametrize("amount, currency, expected", [(100, "EUR", 100), (150, "USD", 138), (5, "GBP", 6)])
def test_to_home(amount, currency, expected):
    assert to_home(amount, currency) == expected


def test_unknown_currency():
    with pytest.raises(UnknownCurrency):
        to_home(1, "XXX")


def test_by_category(items):
    assert by_category(items) == {"meals": 6590, "hotel": 14700, "taxi": 1890}


def test_by_day(items):
    assert by_day(items)["mon"] == {"meals": 1250, "hotel": 14700}


def test_refund_is_limited_by_day(items):
    assert refunded(items) == 1250 + 14700 + 4000 + 1890


def test_render(items):
    lines = render(items).splitlines()
    assert lines[0] == "hotel         147.00"
    assert lines[-1] == "refunded      218.40"
