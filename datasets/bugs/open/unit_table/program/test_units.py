import pytest

from units import UnitError, add, best_unit, convert, convert_text, parse, quantity_of


@pytest.mark.parametrize(
    "value, source, target, expected",
    [(1, "km", "m", 1000), (1, "mi", "km", 1.609344), (90, "min", "h", 1.5), (1, "t", "kg", 1000)],
)
def test_convert(value, source, target, expected):
    assert convert(value, source, target) == pytest.approx(expected)


def test_different_quantities():
    with pytest.raises(UnitError):
        convert(1, "kg", "m")


def test_parse():
    assert parse(" 3.5 km ") == (3.5, "km")


def test_unknown_unit():
    with pytest.raises(UnitError):
        parse("3 parsec")


def test_convert_text():
    assert convert_text("12 in", "ft") == "1 ft"


def test_add_same_unit():
    assert add("1 m", "2 m") == "3 m"


def test_add_mixed_units():
    assert add("1 km", "250 m") == "1.25 km"


def test_best_unit():
    assert best_unit(5400, "s") == "h"
    assert best_unit(0.0001, "mm") == "mm"


def test_quantity():
    assert quantity_of("lb") == "mass"
