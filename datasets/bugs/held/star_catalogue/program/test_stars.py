import pytest

from stars import Catalogue, Star, parse_angle

SOURCE = """# four of them
Rigel; 5h 14m 32s; -8d 12m; 0.13
Betelgeuse; 5h 55m 10s; +7d 24m; 0.50
Sirius; 6h 45m 9s; -16d 43m; -1.46
Polaris; 2h 31m 49s; 89d 16m; 1.98
"""


@pytest.fixture
def catalogue():
    return Catalogue.parse(SOURCE)


@pytest.mark.parametrize("text, value", [("5h 30m", 5.5), ("-8d 12m", -8.2), ("0h 0m 36s", 0.01)])
def test_angles(text, value):
    assert parse_angle(text) == pytest.approx(value)


def test_not_an_angle():
    with pytest.raises(ValueError):
        parse_angle("north")


def test_brightest(catalogue):
    assert catalogue.brightest(2) == ["Sirius", "Rigel"]


def test_brighter():
    assert Star("a", 0, 0, 1).brighter_than(Star("b", 0, 0, 6)) == pytest.approx(100)


def test_distance():
    assert Star("a", 0, 0, 1).distance(Star("b", 6, 0, 1)) == pytest.approx(90)


def test_visible(catalogue):
    assert catalogue.visible(latitude=60) == ["Betelgeuse", "Polaris", "Rigel", "Sirius"]
    assert catalogue.visible(latitude=-40, faintest=1) == ["Betelgeuse", "Rigel", "Sirius"]


def test_around(catalogue):
    assert catalogue.around("rigel", 30) == ["Betelgeuse", "Sirius"]
