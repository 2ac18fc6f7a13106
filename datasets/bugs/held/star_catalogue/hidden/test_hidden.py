import pytest

from stars import Catalogue, Star, parse_angle


@pytest.mark.parametrize(
    "text, value", [("-0d 30m", -0.5), ("+0d 30m", 0.5), ("0d 30m", 0.5), ("-10d 0m 36s", -10.01), ("23h 45m", 23.75)]
)
def test_signs(text, value):
    assert parse_angle(text) == pytest.approx(value)


def test_south():
    star = Star.parse("X; 1h 0m; -80d 0m; 2")
    assert star.degrees == -80
    assert star.highest(-80) == 90
    assert Catalogue([star]).visible(45) == []
