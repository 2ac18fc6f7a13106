import pytest

from digits import account_digits, international, is_valid


@pytest.mark.parametrize("country", ["AA", "DE", "FR", "ZZ"])
@pytest.mark.parametrize("account", [f"{n:010d}" for n in (0, 1, 7, 99, 4711, 1234567890)] + ["A1B2C3", "7Z"])
def test_what_is_made_is_valid(country, account):
    number = international(country, account)
    assert is_valid("account", number)
    assert len(account_digits(country, account)) == 2
    assert 2 <= int(account_digits(country, account)) <= 98


def test_one_known():
    assert account_digits("DE", "370400440532013000") == "89"
