from datetime import time, timedelta

import pytest

from parking import Zone, moment


@pytest.mark.parametrize("opens, closes", [(8, 18), (0, 1), (20, 23), (11, 12)])
def test_a_whole_day_is_as_long_as_the_meter_is_on(opens, closes):
    zone = Zone("z", 1, opens=time(opens), closes=time(closes))
    start = moment("2024-05-07 00:00")
    assert zone.price(start, start + timedelta(days=1)) == 2 * (closes - opens)


def test_the_minutes_at_the_ends():
    zone = Zone("z", 1)
    on = [zone.is_charged(moment(f"2024-05-08 {text}")) for text in ("07:59", "08:00", "17:59", "18:00", "18:01")]
    assert on == [False, True, True, False, False]


def test_coming_at_closing_time():
    assert Zone("z", 50).price(moment("2024-05-08 18:00"), moment("2024-05-08 18:10")) == 0


def test_coming_at_opening_time():
    assert Zone("z", 50).price(moment("2024-05-08 08:00"), moment("2024-05-08 08:10")) == 50
