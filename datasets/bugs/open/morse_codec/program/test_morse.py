import pytest

from morse import decode, duration, encode, lamp, timing


@pytest.mark.parametrize(
    "text, signals",
    [("sos", "... --- ..."), ("Hi you", ".... .. / -.-- --- ..-"), ("a-b", ".- -..."), ("", "")],
)
def test_encode(text, signals):
    assert encode(text) == signals


def test_decode():
    assert decode("... --- ... / .----") == "SOS 1"


def test_unknown_signals():
    assert decode(".-.-.-.-") == "?"


def test_round_trip():
    text = "THE 9 BRAVE FOXES JUMP"
    assert decode(encode(text)) == text


def test_timing_of_a_letter():
    assert timing(".-") == [(True, 1), (False, 1), (True, 3)]


def test_lamp_between_letters():
    assert lamp("ee") == "#...#"


def test_lamp_between_words():
    assert lamp("e e") == "#.......#"


def test_duration_of_the_standard_word():
    assert duration("paris") + 7 == 50
