from datetime import time

import pytest

from parking import Meter, Zone, moment


@pytest.fixture
def centre():
    return Zone("centre", 120, day_ticket=1500)


@pytest.fixture
def meter(centre):
    return Meter(centre)


@pytest.mark.parametrize(
    "arrives, leaves, cents",
    [
        ("2024-05-06 09:00", "2024-05-06 10:00", 240),
        ("2024-05-06 09:00", "2024-05-06 10:01", 360),
        ("2024-05-06 09:00", "2024-05-06 09:00", 0),
        ("2024-05-06 17:00", "2024-05-06 20:00", 240),
        ("2024-05-06 07:00", "2024-05-06 08:30", 120),
        ("2024-05-06 08:00", "2024-05-06 17:30", 1500),
        ("2024-05-05 09:00", "2024-05-05 15:00", 0),
    ],
)
def test_price(centre, arrives, leaves, cents):
    assert centre.price(moment(arrives), moment(leaves)) == cents


def test_two_days(centre):
    assert centre.price(moment("2024-05-06 16:40"), moment("2024-05-07 08:45")) == 3 * 120 + 2 * 120


def test_leaving_first(centre):
    with pytest.raises(ValueError):
        centre.price(moment("2024-05-06 09:00"), moment("2024-05-06 08:00"))


def test_meter(meter):
    meter.arrive("B-X 1", moment("2024-05-06 10:00"))
    meter.arrive("B-Y 2", moment("2024-05-06 09:30"))
    assert meter.longest(moment("2024-05-06 11:00")) == "B-Y 2"
    assert meter.leave("B-X 1", moment("2024-05-06 10:20")) == 120
    assert meter.takings == 120


def test_opening_hours():
    with pytest.raises(ValueError):
        Zone("x", 10, opens=time(9), closes=time(9))
