import pytest

from seats import SeatMap, SeatTaken


@pytest.fixture
def hall():
    return SeatMap(3, 4)


def test_draw_shows_taken_seats(hall):
    hall.reserve("A1", "Ida")
    hall.reserve("c4", "Per")
    assert hall.draw() == "A x...\nB ....\nC ...x"


def test_a_seat_is_sold_once(hall):
    hall.reserve("B2", "Ida")
    with pytest.raises(SeatTaken):
        hall.reserve("B2", "Per")


@pytest.mark.parametrize("code", ["D1", "A0", "A5"])
def test_unknown_seats(hall, code):
    with pytest.raises(KeyError):
        hall.parse(code)


def test_release(hall):
    hall.reserve("A1", "Ida")
    assert hall.release("A1") == "Ida"
    assert hall.release("A1") is None


def test_together_in_the_front(hall):
    assert hall.find_together(2) == ["A1", "A2"]


def test_together_at_the_end_of_a_row(hall):
    hall.reserve("A2", "Ida")
    assert hall.find_together(2) == ["A3", "A4"]


def test_too_large_a_group(hall):
    assert hall.find_together(5) == []
