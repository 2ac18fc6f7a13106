import pytest

from seats import SeatMap


@pytest.mark.parametrize("width", [1, 2, 5, 9])
def test_a_group_may_fill_a_row(width):
    assert len(SeatMap(2, width).find_together(width)) == width


def test_next_row_when_the_first_is_broken():
    hall = SeatMap(2, 5)
    hall.reserve("A3", "x")
    assert hall.find_together(3) == ["B1", "B2", "B3"]


def test_last_single_seat():
    hall = SeatMap(1, 3)
    hall.reserve("A1", "x")
    hall.reserve("A2", "x")
    assert hall.find_together(1) == ["A3"]
    hall.reserve("A3", "x")
    assert hall.find_together(1) == []
