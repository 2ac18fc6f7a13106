import pytest

from passwords import RULES, accept, problems, strength


def test_good_password():
    assert problems("Bluebird77", "mary") == []


@pytest.mark.parametrize(
    "password, message",
    [
        ("Ab3", "use at least 8 characters"),
        ("Bluebirds", "use a digit"),
        ("bluebird77", "use small and capital letters"),
        ("Qwerty123", "that password is too common"),
        ("Bluebird7777", "do not repeat a character four times"),
    ],
)
def test_each_rule(password, message):
    assert message in problems(password, "mary")


def test_user_name_inside():
    assert problems("xxMary1990", "mary") == ["do not use your name"]


def test_no_user_name_given():
    assert problems("Bluebird77") == []


def test_strength():
    assert strength("Bluebird77", "mary") == 100
    assert strength("", "mary") < 60


def test_differing():
    assert accept("a", "b") == ["the two passwords differ"]


def test_rules_have_messages():
    assert all(rule.message for rule in RULES)
