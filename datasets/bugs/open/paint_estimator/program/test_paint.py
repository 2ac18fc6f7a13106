import pytest

from paint import Room, litres, shopping_list, tins


@pytest.fixture
def kitchen():
    room = Room("kitchen", 4, 3)
    room.add_opening(1, 2)
    room.add_opening(1.5, 1, count=2)
    return room


def test_perimeter(kitchen):
    assert kitchen.perimeter == 14


def test_wall_area_leaves_out_openings(kitchen):
    assert kitchen.wall_area == 30


def test_ceiling(kitchen):
    assert kitchen.ceiling_area == 12


def test_litres(kitchen):
    assert litres([kitchen]) == 6.0
    assert litres([kitchen], coats=1, ceilings=True) == 4.2


@pytest.mark.parametrize(
    "amount, expected",
    [(6, {5: 1, 1: 1}), (10, {10: 1}), (17.2, {10: 1, 5: 1, 1: 3}), (0, {})],
)
def test_tins(amount, expected):
    assert tins(amount) == expected


def test_shopping_list(kitchen):
    hall = Room("hall", 2, 1, height=2)
    assert shopping_list([kitchen, hall]) == ["hall: 2.4 l", "kitchen: 6.0 l", "buy 1 x 5 l, 4 x 1 l"]
