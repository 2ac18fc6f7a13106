import pytest

from intervals import IntervalSet


@pytest.mark.parametrize("first, last", [(1, 1), (5, 5), (1, 9), (3, 6), (0, 20), (9, 12), (10, 10)])
def test_remove_is_set_difference(first, last):
    interval = IntervalSet.parse("1-5,7,9-14")
    expected = [n for n in interval if not first <= n <= last]
    interval.remove(first, last)
    assert list(interval) == expected


def test_remove_everything():
    interval = IntervalSet.parse("1-5")
    interval.remove(1, 5)
    assert interval.ranges == []


def test_add_back_what_was_removed():
    interval = IntervalSet.parse("1-20")
    interval.remove(5, 8)
    interval.add(5, 8)
    assert str(interval) == "1-20"
