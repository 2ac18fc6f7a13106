from datetime import date

import pytest

from habits import Habit, ranking


@pytest.mark.parametrize(
    "today, expected",
    [(date(2024, 2, 29), 3), (date(2024, 3, 1), 3), (date(2024, 3, 2), 0), (date(2024, 2, 8), 2)],
)
def test_current_streak(running, today, expected):
    assert running.current_streak(today) == expected


def test_streak_over_the_end_of_a_month(running):
    running.mark(date(2024, 3, 1))
    assert running.current_streak(date(2024, 3, 1)) == 4


def test_best_streak(running):
    assert running.best_streak() == 3
    assert Habit("none").best_streak() == 0


def test_gaps(running):
    assert running.gaps()[0] == (date(2024, 2, 4), date(2024, 2, 6))


def test_month(running):
    assert running.month(2024, 2) == "xxx...xx..................xxx"


def test_unmark(running):
    running.unmark(date(2024, 2, 2))
    assert len(running.gaps()) == 3


def test_ranking(running):
    other = Habit("reading", [date(2024, 2, 29)])
    assert [h.name for h in ranking([other, running], date(2024, 2, 29))] == ["running", "reading"]
