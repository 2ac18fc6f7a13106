import pytest

from sensors import fill_gaps, middle, moving_average, outliers, spread, summary


@pytest.fixture
def readings():
    return [20.0, 21.0, 20.5, 80.0, 20.0, 21.5]


def test_middle(readings):
    assert middle(readings) == 20.75


def test_moving_average():
    assert moving_average([2, 4, 6, 8], 2) == [2, 3, 5, 7]


def test_spread_ignores_one_wild_reading(readings):
    assert spread(readings) == 0.75


def test_outliers(readings):
    assert outliers(readings) == [3]


def test_too_few_for_outliers():
    assert outliers([1, 100]) == []


@pytest.mark.parametrize(
    "values, expected",
    [
        ([1, None, 3], [1, 2, 3]),
        ([None, 5], [5, 5]),
        ([5, None, None], [5, 5, 5]),
        ([0, None, None, None, 8], [0, 2, 4, 6, 8]),
    ],
)
def test_fill_gaps(values, expected):
    assert fill_gaps(values) == expected


def test_no_reading():
    with pytest.raises(ValueError):
        fill_gaps([None])


def test_summary(readings):
    assert summary(readings)["high"] == 80.0
