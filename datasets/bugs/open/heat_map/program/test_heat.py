import pytest

from heat import Plate


@pytest.fixture
def plate():
    return Plate(1, 3)


def test_size(plate):
    assert plate.size == (1, 3)


def test_a_cold_plate_stays_cold(plate):
    plate.step()
    assert plate.cells == [[0, 0, 0]]


def test_one_step(plate):
    plate.cells[0][1] = 6.0
    plate.step()
    assert plate.cells == [[3, 2, 3]]


def test_warmth_spreads_down_and_across():
    square = Plate(2, 2)
    square.cells[0][0] = 9.0
    square.step()
    assert square.cells == [[3, 3], [3, 0]]


def test_a_source_keeps_its_temperature(plate):
    plate.heat(0, 0, 8)
    plate.step()
    assert plate.cells == [[8, pytest.approx(8 / 3), 0]]


def test_settles_when_all_is_equal(plate):
    plate.heat(0, 0, 10)
    assert plate.settle(tolerance=0.001) < 100
    assert plate.cells[0][2] == pytest.approx(10, abs=0.05)


@pytest.mark.parametrize("rows, columns, near", [(1, 1, 0), (2, 2, 2), (3, 3, 2)])
def test_corner_neighbours(rows, columns, near):
    assert len(list(Plate(rows, columns).neighbours(0, 0))) == near


def test_draw(plate):
    plate.cells = [[0.0, 5.0, 10.0]]
    assert plate.draw() == " :#"
