import pytest

from grid import Grid, GridError


def test_across(small):
    assert [slot.name for slot in small.slots() if slot.direction == "across"] == ["1a", "3a", "5a", "7a"]


def test_down(small):
    assert [(slot.name, len(slot)) for slot in small.slots() if slot.direction == "down"] == [
        ("1d", 3),
        ("2d", 4),
        ("4d", 3),
        ("6d", 2),
    ]


def test_numbers_of_a_full_square():
    assert [slot.name for slot in Grid(".. ..").slots()] == ["1a", "1d", "2d", "3a"]


@pytest.mark.parametrize("x, y, expected", [(0, 0, True), (2, 1, True), (3, 1, False), (1, 1, False), (1, 0, False)])
def test_starts_across(small, x, y, expected):
    assert small.starts_across(x, y) is expected


def test_fill(small):
    small.fill("1a", "cat")
    assert str(small).splitlines()[0] == "CAT#"


def test_words_that_do_not_fit(small):
    small.fill("1a", "cat")
    with pytest.raises(GridError):
        small.fill("1a", "cut")
    with pytest.raises(GridError):
        small.fill("1a", "cats")


def test_fitting(small):
    small.fill("1a", "cat")
    assert small.fitting("1d", ["cow", "dog", "cart"]) == ["cow"]


def test_symmetric(small):
    assert not small.is_symmetric()
    assert Grid("#.. ... ..#").is_symmetric()
