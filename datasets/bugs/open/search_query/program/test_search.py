import pytest

from search import Term, parse, search, split

BOOKS = [
    {"title": "The Blue Door", "author": "Ek", "year": 1999},
    {"title": "Blue Water", "author": "Holm", "year": 2005},
    {"title": "Open Doors", "author": "Ek", "year": 2010},
]


def titles(text):
    return [book["title"] for book in search(text, BOOKS)]


@pytest.mark.parametrize(
    "text, pieces",
    [("a b", ["a", "b"]), ('x "c d" -e', ["x", "c d", "-e"]), ('t:"f g"', ["t:f g"]), ("  ", [])],
)
def test_split(text, pieces):
    assert split(text) == pieces


def test_missing_quote():
    with pytest.raises(ValueError):
        split('"a b')


def test_parse():
    assert parse("-Author:Ek")[0].terms == [Term("ek", "author", True)]


def test_one_word():
    assert titles("door") == ["The Blue Door", "Open Doors"]


def test_all_words_are_needed():
    assert titles("blue door") == ["The Blue Door"]


def test_exact_phrase():
    assert titles('"blue door"') == ["The Blue Door"]


def test_field():
    assert titles("author:ek year:2010") == ["Open Doors"]


def test_either():
    assert titles("water OR open") == ["Blue Water", "Open Doors"]


def test_empty_search_finds_everything():
    assert len(titles("")) == 3
