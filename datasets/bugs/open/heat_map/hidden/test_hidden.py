import pytest

from heat import Plate


def test_two_steps_on_a_column():
    plate = Plate(3, 1)
    plate.cells[0][0] = 12.0
    plate.step()
    assert plate.cells == [[6], [4], [0]]
    plate.step()
    assert plate.cells == [[5], [pytest.approx(10 / 3)], [2]]


def test_symmetry():
    plate = Plate(5, 5)
    plate.cells[2][2] = 100.0
    for _ in range(4):
        plate.step()
    for r in range(5):
        for c in range(5):
            assert plate.cells[r][c] == pytest.approx(plate.cells[4 - r][c])
            assert plate.cells[r][c] == pytest.approx(plate.cells[c][r])


def test_warmth_never_exceeds_the_source():
    plate = Plate(3, 4)
    plate.heat(1, 1, 50)
    plate.settle(limit=30)
    assert max(max(row) for row in plate.cells) == 50
    assert min(min(row) for row in plate.cells) > 0
