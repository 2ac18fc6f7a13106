import pytest

from passwords import accept, hides_user_name, problems, strength


@pytest.mark.parametrize(
    "password, user, fine",
    [
        ("Sunny1day", "bob", True),
        ("Sunny1BOBday", "bob", False),
        ("bob", "BOB", False),
        ("anything", "", True),
        ("", "bob", True),
    ],
)
def test_hides_user_name(password, user, fine):
    assert hides_user_name(password, user) is fine


def test_accept_with_user():
    assert accept("Harbour42x", "Harbour42x", "olaf") == []


def test_strength_counts_rules():
    assert strength("harbour", "olaf") == 50
    assert problems("Olaf12345", "olaf") == ["do not use your name"]
