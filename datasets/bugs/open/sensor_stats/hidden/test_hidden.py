import pytest

from sensors import outliers, spread


@pytest.mark.parametrize(
    "values, expected",
    [([1, 2, 3], 1), ([5, 5, 5, 900], 0), ([0, 10, 20, 30, 1000], 10), ([-4, 4], 4), ([7], 0)],
)
def test_spread(values, expected):
    assert spread(values) == expected


def test_spread_does_not_depend_on_one_value():
    base = [10, 12, 14, 16, 18]
    assert spread(base[:-1] + [10**6]) == spread(base)


def test_several_outliers():
    assert outliers([1, 2, 1, 2, 1, 50, 2, -60]) == [5, 7]
