"""Other bugs than the shipped one: planted here, in three small projects, and repaired by the same command."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.reset import shipped
from offline.coder.fixing import UNSURE

CALCULATOR = {name: data.decode() for name, data in shipped().items() if name.endswith((".py", ".md"))}
CALCULATOR["pkg/calculator.py"] = CALCULATOR["pkg/calculator.py"].replace('"+": 3,', '"+": 1,')

LIBRARY = {
    "library/__init__.py": "",
    "library/loans.py": '''"""Who has which book, and what a late one costs."""

DAYS = 14
FINE_PER_DAY = 20


class Loans:
    def __init__(self):
        self.due = {}

    def lend(self, book, day):
        if book in self.due:
            raise KeyError(f"{book} is lent already")
        self.due[book] = day + DAYS

    def give_back(self, book, day):
        late = day - self.due.pop(book)
        return fine(late)

    def overdue(self, day):
        return sorted(book for book, due in self.due.items() if due < day)


def fine(days_late):
    """Cents to pay: nothing in time, and never more than five euros."""
    if days_late <= 0:
        return 0
    return min(days_late * FINE_PER_DAY, 500)
''',
    "tests/test_loans.py": """import unittest

from library.loans import Loans, fine


class TestLoans(unittest.TestCase):
    def setUp(self):
        self.loans = Loans()
        self.loans.lend("Emma", 1)

    def test_in_time_costs_nothing(self):
        self.assertEqual(self.loans.give_back("Emma", 15), 0)

    def test_late_costs_by_the_day(self):
        self.assertEqual(self.loans.give_back("Emma", 18), 60)

    def test_very_late_costs_five_euros(self):
        self.assertEqual(fine(400), 500)

    def test_a_lent_book_is_not_lent_again(self):
        with self.assertRaises(KeyError):
            self.loans.lend("Emma", 2)

    def test_overdue_books_are_named_in_order(self):
        self.loans.lend("Dune", 3)
        self.loans.lend("Walden", 30)
        self.assertEqual(self.loans.overdue(20), ["Dune", "Emma"])

    def test_a_book_due_today_is_not_overdue(self):
        self.assertEqual(self.loans.overdue(15), [])


if __name__ == "__main__":
    unittest.main()
""",
}

WEATHER = {
    "readings.py": '''"""Sums up a day of temperature readings, in degrees Celsius."""


def parse(line):
    """Read "08:30 12.5" into (minutes since midnight, degrees)."""
    time, degrees = line.split()
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes), float(degrees)


def mean(values):
    return sum(values) / len(values)


def warmest(readings):
    return max(readings, key=lambda reading: reading[1])[0]


def changes(values):
    """How much each value differs from the one before."""
    return [values[index] - values[index - 1] for index in range(1, len(values))]


def steady(values, tolerance=0.5):
    return all(abs(change) <= tolerance for change in changes(values))


def between(readings, start, end):
    """The degrees of readings from start to end, both included."""
    return [degrees for minutes, degrees in readings if start <= minutes <= end]
''',
    "test_readings.py": """import pytest

from readings import between, changes, mean, parse, steady, warmest

DAY = [(480, 9.0), (720, 15.5), (1020, 12.0)]


@pytest.mark.parametrize(("line", "expected"), [("08:30 12.5", (510, 12.5)), ("00:05 -3", (5, -3.0))])
def test_a_line_is_read(line, expected):
    assert parse(line) == expected


def test_the_mean():
    assert mean([1.0, 2.0, 6.0]) == 3.0


def test_the_warmest_time():
    assert warmest(DAY) == 720


def test_changes_are_one_fewer_than_values():
    assert changes([1, 4, 2]) == [3, -2]
    assert changes([7]) == []


def test_steady_values_stay_within_the_tolerance():
    assert steady([1.0, 1.5, 1.0])
    assert not steady([1.0, 1.0, 2.0])


def test_both_ends_count():
    assert between(DAY, 480, 720) == [9.0, 15.5]
""",
}

PLANTED = [
    (
        "wrong operator",
        CALCULATOR,
        "pkg/calculator.py",
        "lambda left, right: left * right",
        "lambda left, right: left + right",
    ),
    (
        "swapped arguments",
        CALCULATOR,
        "pkg/calculator.py",
        "self.operators[operator](left, right)",
        "self.operators[operator](right, left)",
    ),
    ("wrong comparison", CALCULATOR, "pkg/calculator.py", "if len(values) < 2:", "if len(values) > 2:"),
    ("wrong constant", CALCULATOR, "pkg/calculator.py", '"/": 2,', '"/": 1,'),
    ("wrong constant", LIBRARY, "library/loans.py", "FINE_PER_DAY = 20", "FINE_PER_DAY = 25"),
    ("wrong operator", LIBRARY, "library/loans.py", "self.due[book] = day + DAYS", "self.due[book] = day - DAYS"),
    ("wrong comparison", LIBRARY, "library/loans.py", "if due < day", "if due <= day"),
    ("wrong name", LIBRARY, "library/loans.py", "late = day - self.due.pop(book)", "late = DAYS - self.due.pop(book)"),
    ("wrong function", LIBRARY, "library/loans.py", "return min(days_late", "return max(days_late"),
    ("off by one", WEATHER, "readings.py", "range(1, len(values))", "range(0, len(values))"),
    ("wrong index", WEATHER, "readings.py", "key=lambda reading: reading[1]", "key=lambda reading: reading[0]"),
    (
        "swapped names",
        WEATHER,
        "readings.py",
        "return int(hours) * 60 + int(minutes)",
        "return int(minutes) * 60 + int(hours)",
    ),
    ("wrong boundary", WEATHER, "readings.py", "start <= minutes <= end", "start < minutes <= end"),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("files", "path", "right", "wrong"),
    # One that the search soon finds; all of them with the long tests.
    [pytest.param(*case[1:], marks=[pytest.mark.long] * (index != 6)) for index, case in enumerate(PLANTED)],
    ids=[f"{kind}: {wrong.strip()}" for kind, _, _, _, wrong in PLANTED],
)
def test_a_planted_bug_is_repaired_by_the_same_command(
    files: dict[str, str],
    path: str,
    right: str,
    wrong: str,
    project: Callable[[dict[str, str]], Path],
    run_main: Callable[..., subprocess.CompletedProcess[str]],
):
    assert files[path].count(right) == 1
    root = project({**files, path: files[path].replace(right, wrong)})
    ran = run_main("fix the bug", "--workdir", str(root), "--provider", "offline")
    assert ran.returncode == 0, ran.stderr
    if UNSURE in ran.stdout:  # many changes pass: it shows one and makes none
        assert not suite_passes(root)
        ran = run_main("fix the bug anyway", "--workdir", str(root), "--provider", "offline")
    assert ran.stdout.startswith("Fixed."), ran.stdout
    assert suite_passes(root)
    changed = [name for name in files if (root / name).read_text(encoding="utf-8") != files[name]]
    assert not [name for name in changed if name != path], "only the broken file may change"
    shutil.rmtree(root)


def suite_passes(root: Path) -> bool:
    folder = (
        []
        if (root / "tests.py").exists()
        else ["discover", "-s", "tests", "-t", "."]
        if (root / "tests").exists()
        else None
    )
    runner = (
        ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
        if folder is None
        else ["-m", "unittest", *(folder or ["tests"])]
    )
    if folder and not (root / "tests" / "__init__.py").exists():
        runner = ["-m", "unittest", "tests/test_loans.py"]
    return subprocess.run([sys.executable, *runner], cwd=root, capture_output=True, timeout=60).returncode == 0
