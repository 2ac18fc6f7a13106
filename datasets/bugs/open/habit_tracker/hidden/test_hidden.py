from datetime import date, timedelta

import pytest

from habits import Habit

START = date(2023, 12, 30)


@pytest.mark.parametrize("length", [1, 2, 5, 40])
def test_streak_length(length):
    habit = Habit("x", [START + timedelta(days=i) for i in range(length)])
    last = START + timedelta(days=length - 1)
    assert habit.current_streak(last) == length
    assert habit.best_streak() == length


def test_no_days():
    assert Habit("x").current_streak(START) == 0


def test_long_ago():
    assert Habit("x", [START]).current_streak(START + timedelta(days=2)) == 0
    assert Habit("x", [START]).current_streak(START + timedelta(days=1)) == 1
