import pytest

from greys import Image


@pytest.mark.parametrize("width, height", [(1, 1), (1, 5), (5, 1), (3, 4), (4, 3), (6, 2)])
def test_turning(width, height):
    image = Image(width, height, range(width * height))
    turned = image.turned_right()
    assert (turned.width, turned.height) == (height, width)
    for x in range(width):
        for y in range(height):
            assert turned.at(height - 1 - y, x) == image.at(x, y)
    assert turned.turned_right().turned_right().turned_right().rows() == image.rows()


def test_left_column_becomes_top_row():
    assert Image(2, 3, [1, 2, 3, 4, 5, 6]).turned_right().rows()[0] == [5, 3, 1]


def test_brightest_is_kept():
    assert Image(2, 1, [1, 2], 9).turned_right().brightest == 9
