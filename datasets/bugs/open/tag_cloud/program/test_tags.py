import pytest

from tags import TagIndex, clean


@pytest.fixture
def index():
    index = TagIndex()
    index.add("one", "Python", "Slow Food", " ")
    index.add("two", "python", "travel")
    index.add("three", "python")
    index.add("four", "python", "travel")
    return index


@pytest.mark.parametrize("tag, expected", [(" Slow  Food ", "slow-food"), ("x", "x"), ("  ", "")])
def test_clean(tag, expected):
    assert clean(tag) == expected


def test_counts(index):
    assert index.counts() == {"python": 4, "slow-food": 1, "travel": 2}


def test_related(index):
    assert index.related("python") == ["travel", "slow-food"]


def test_sizes(index):
    assert index.sizes() == {"python": 30, "travel": 20, "slow-food": 10}


def test_no_tags():
    assert TagIndex().sizes() == {}
