import pytest

from paint import Room, litres


@pytest.mark.parametrize("length, width, expected", [(5, 5, 20), (1, 9, 20), (2.5, 0.5, 6)])
def test_perimeter(length, width, expected):
    assert Room("x", length, width).perimeter == expected


def test_turning_a_room_changes_nothing():
    assert Room("x", 6, 2).wall_area == Room("x", 2, 6).wall_area


def test_two_rooms_need_as_much_as_both():
    a, b = Room("a", 3, 4), Room("b", 2, 7)
    assert litres([a, b]) == pytest.approx(litres([a]) + litres([b]))


def test_area_is_never_negative():
    room = Room("glass", 1, 1)
    room.add_opening(10, 10)
    assert room.wall_area == 0
