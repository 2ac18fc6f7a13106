import pytest

from digits import NumberError, account_digits, card_digit, goods_digit, international, is_valid, new_book_number, only
from digits import old_book_digit


@pytest.mark.parametrize("text, expected", [("1-234", "1234"), (" 12 3", "123")])
def test_only(text, expected):
    assert only(text, "1234") == expected


def test_foreign_characters():
    with pytest.raises(NumberError):
        only("12O", "0123456789")


@pytest.mark.parametrize("digits, check", [("000000000", "0"), ("100000000", "1"), ("000000006", "X")])
def test_old_book(digits, check):
    assert old_book_digit(digits) == check


@pytest.mark.parametrize("digits, check", [("000000000001", "7"), ("100000000001", "6")])
def test_goods(digits, check):
    assert goods_digit(digits) == check


def test_card():
    assert card_digit("1234") == "4"
    assert is_valid("card", "12344")


def test_account():
    assert account_digits("GB", "WEST12345698765432") == "82"
    assert international("gb", "WEST 1234 5698 7654 32") == "GB82 WEST 1234 5698 7654 32"


def test_valid_account():
    assert is_valid("account", "GB82 WEST 1234 5698 7654 32")
    assert not is_valid("account", "GB82 WEST 1234 5698 7654 23")


def test_new_book():
    assert new_book_number("1-00000000-1") == "9781000000009"
    with pytest.raises(NumberError):
        new_book_number("1-00000000-2")
