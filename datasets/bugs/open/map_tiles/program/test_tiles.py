import pytest

from tiles import TILE, Box, shift, tile_at, tile_box, tiles_for, visible_parts


@pytest.mark.parametrize(
    "point, tile",
    [((0, 0), (0, 0)), ((255, 255), (0, 0)), ((256, 10), (1, 0)), ((-1, 300), (-1, 1))],
)
def test_tile_at(point, tile):
    assert tile_at(*point) == tile


def test_tile_box_holds_its_own_corner():
    box = tile_box(2, 2)
    assert box.contains(512, 512)
    assert not box.contains(768, 512)


def test_box_of_a_tile_off_the_diagonal():
    assert tile_box(3, 1) == Box(768, 256, 1024, 512)


def test_tiles_for_a_wide_view():
    assert tiles_for(Box(0, 0, 600, 256)) == [(0, 0), (1, 0), (2, 0)]


def test_parts_are_relative_to_the_tile():
    assert visible_parts(Box(300, 10, 310, 20)) == [((1, 0), Box(44, 10, 54, 20))]


def test_no_overlap():
    assert Box(0, 0, 5, 5).overlap(Box(5, 0, 9, 5)) is None


def test_shift():
    assert shift(Box(0, 1, 2, 3), 10, 20) == Box(10, 21, 12, 23)


def test_tile_is_square():
    assert tile_box(0, 0).width == tile_box(0, 0).height == TILE
