import pytest

from morse import decode, duration, encode, lamp


@pytest.mark.parametrize("word, units", [("e", 1), ("t", 3), ("it", 9), ("et", 7), ("tie e", 21)])
def test_durations(word, units):
    assert duration(word) == units


def test_letters_and_digits_survive():
    text = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    assert decode(encode(text)) == text


def test_lamp_of_two_words():
    assert lamp("it e") == "#.#...###.......#"
