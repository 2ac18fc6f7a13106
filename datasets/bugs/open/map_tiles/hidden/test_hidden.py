import pytest

from tiles import Box, tile_at, tile_box, visible_parts


@pytest.mark.parametrize("view", [Box(0, 0, 700, 300), Box(100, 900, 200, 1500), Box(-300, 5, 20, 6)])
def test_parts_cover_the_whole_view(view):
    area = sum(part.width * part.height for _, part in visible_parts(view))
    assert area == view.width * view.height


def test_parts_lie_within_a_tile():
    for _, part in visible_parts(Box(130, 700, 1200, 900)):
        assert 0 <= part.left < part.right <= 256
        assert 0 <= part.top < part.bottom <= 256


@pytest.mark.parametrize("point", [(900, 20), (20, 900), (513, 255), (-5, 400)])
def test_a_point_is_in_its_tile(point):
    assert tile_box(*tile_at(*point)).contains(*point)


def test_shift_of_a_part():
    assert visible_parts(Box(256, 512, 258, 515)) == [((1, 2), Box(0, 0, 2, 3))]
