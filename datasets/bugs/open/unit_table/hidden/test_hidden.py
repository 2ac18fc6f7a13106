import pytest

from units import UnitError, add


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("1 h", "15 min", "1.25 h"),
        ("15 min", "1 h", "75 min"),
        ("2 kg", "500 g", "2.5 kg"),
        ("0 m", "1 ft", "0.3048 m"),
        ("1 d", "-6 h", "0.75 d"),
    ],
)
def test_add(first, second, expected):
    assert add(first, second) == expected


def test_add_of_different_quantities():
    with pytest.raises(UnitError):
        add("1 h", "1 kg")
