from datetime import date

import pytest

from membership import Member, age_on, roster


@pytest.mark.parametrize("born", [date(2000, 1, 1), date(2000, 12, 31), date(1999, 7, 15)])
@pytest.mark.parametrize("years", [0, 1, 13, 18])
def test_birthdays_count(born, years):
    assert age_on(born, born.replace(year=born.year + years)) == years


def test_day_before_the_birthday():
    assert age_on(date(2000, 3, 15), date(2018, 3, 14)) == 17
    assert age_on(date(2000, 1, 1), date(2017, 12, 31)) == 17


def test_leap_day():
    assert age_on(date(2004, 2, 29), date(2022, 2, 28)) == 17
    assert age_on(date(2004, 2, 29), date(2022, 3, 1)) == 18


def test_roster_on_the_eighteenth_birthday():
    member = Member("Uma", date(2004, 9, 9), date(2015, 1, 1))
    assert roster([member], date(2022, 9, 9))["adult"] == ["Uma"]
