import pytest

from intervals import IntervalSet


@pytest.mark.parametrize(
    "text, expected",
    [("1-3,7", "1-3,7"), ("7,1-3", "1-3,7"), ("1-5,3-9", "1-9"), ("2, 3 ,4", "2-4"), ("", "")],
)
def test_parse_and_print(text, expected):
    assert str(IntervalSet.parse(text)) == expected


@pytest.fixture
def pages():
    return IntervalSet.parse("1-10,20-30")


def test_length(pages):
    assert len(pages) == 21


def test_contains(pages):
    assert 10 in pages
    assert 11 not in pages


def test_remove_from_the_middle(pages):
    pages.remove(4, 6)
    assert str(pages) == "1-3,7-10,20-30"


def test_remove_over_several(pages):
    pages.remove(8, 22)
    assert str(pages) == "1-7,23-30"


def test_remove_one(pages):
    pages.remove(1)
    assert 1 not in pages
    assert len(pages) == 20


def test_gaps(pages):
    assert pages.gaps() == [(11, 19)]


def test_iterate():
    assert list(IntervalSet([(3, 4), (1, 1)])) == [1, 3, 4]


def test_backwards():
    with pytest.raises(ValueError):
        IntervalSet([(3, 1)])
