from datetime import date

import pytest

from habits import Habit


@pytest.fixture
def running():
    return Habit("running", [date(2024, 2, day) for day in (1, 2, 3, 7, 8, 27, 28, 29)])
