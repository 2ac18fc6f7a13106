from datetime import date

import pytest

from membership import Member, age_on, group_for, income, roster


@pytest.mark.parametrize(
    "day, age",
    [(date(2020, 5, 9), 9), (date(2020, 5, 10), 10), (date(2020, 12, 1), 10), (date(2020, 1, 31), 9)],
)
def test_age(day, age):
    assert age_on(date(2010, 5, 10), day) == age


def test_not_born():
    with pytest.raises(ValueError):
        age_on(date(2020, 1, 2), date(2020, 1, 1))


@pytest.mark.parametrize("age, group", [(12, "child"), (13, "youth"), (40, "adult"), (65, "senior")])
def test_groups(age, group):
    assert group_for(age)[0] == group


@pytest.fixture
def members():
    return [
        Member("Tia", date(2012, 3, 1), date(2020, 1, 1)),
        Member("Lou", date(1980, 3, 1), date(2021, 8, 15)),
        Member("Kai", date(1950, 3, 1), date(2000, 1, 1), left=date(2021, 6, 1)),
    ]


def test_active(members):
    assert members[2].is_active(date(2021, 5, 31))
    assert not members[2].is_active(date(2021, 6, 1))
    assert not members[1].is_active(date(2021, 8, 14))


def test_fees(members):
    assert [member.fee(2021) for member in members] == [4000, 6000, 8000]
    assert [member.fee(2022) for member in members] == [4000, 12000, 0]
    assert members[1].fee(2020) == 0


def test_roster(members):
    assert roster(members, date(2021, 9, 1)) == {"child": ["Tia"], "youth": [], "adult": ["Lou"], "senior": []}


def test_income(members):
    assert income(members, 2021) == 18000
