import pytest

from heats import Entry, lane_order, make_heats


@pytest.mark.parametrize("lanes", range(1, 13))
def test_every_lane_once_and_from_the_middle_out(lanes):
    order = lane_order(lanes)
    assert sorted(order) == list(range(1, lanes + 1))
    distances = [abs(2 * lane - (lanes + 1)) for lane in order]
    assert distances == sorted(distances)


@pytest.mark.parametrize("lanes, first", [(2, 1), (3, 2), (4, 2), (7, 4), (9, 5), (10, 5)])
def test_best_lane(lanes, first):
    assert lane_order(lanes)[0] == first


def test_one_swimmer_in_the_middle():
    assert list(make_heats([Entry("A", 30)], 5)[0]) == [3]
