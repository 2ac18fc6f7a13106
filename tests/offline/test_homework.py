"""Homework and planted bugs: what the two benches read, how they judge, what a solution gives, and the page."""

from __future__ import annotations

import io
import re
import tarfile
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bench import assignments, planted
from bench import repair as bench_repair
from bench.planted.bugs import Bug
from bench.planted.packages import load
from bench.verdict import changed_files, passes
from config import PROJECT
from offline.repair.changes.edits import Edit
from offline.repair.changes.solution import variants, whole_functions
from offline.repair.reading.project import read_project
from offline.repair.reading.source import Source
from offline.repair.repair import Finding, Repair, repair

HOMEWORK = PROJECT / "datasets" / "homework"

MINE = """\
def total(values):
    result = 0
    for v in values:
        result = v
    return result
"""
THEIRS = """\
def total(numbers):
    sum_so_far = 0
    for number in numbers:
        sum_so_far += number
    return sum_so_far
"""


def repaired_function(files: dict[str, str], finding: Finding, name: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec(changed_files(files, finding)["m.py"], namespace)
    return namespace[name]


def test_every_assignment_has_twelve_submissions_tests_and_a_solution() -> None:
    found = list(assignments.read_submissions(HOMEWORK, HOMEWORK))
    by_task = {one.assignment: [two for two in found if two.assignment == one.assignment] for one in found}
    assert len(by_task) == 5
    assert {len(group) for group in by_task.values()} == {12}
    assert all(one.tests and one.hidden and one.solution and one.program.keys() == one.solution.keys() for one in found)


@pytest.mark.long
def test_solutions_pass_and_submissions_do_not() -> None:
    found = list(assignments.read_submissions(HOMEWORK, HOMEWORK))
    for one in {two.assignment: two for two in found}.values():
        every = {**one.tests, **one.hidden}
        assert passes({**one.solution, **every}, set(every)), one.assignment
    for one in found[::7]:
        assert not passes({**one.program, **one.tests}, set(one.tests), 10), f"{one.assignment}/{one.student}"


def test_parts_of_a_solution_are_in_the_words_of_the_student_and_the_smallest_comes_first() -> None:
    source = Source("a.py", MINE)
    theirs = whole_functions(source, {"a.py": THEIRS})
    texts = list(variants(source, "total", theirs["total"]))
    assert texts[0] == MINE.replace("result = v", "result += v")
    assert not any("sum_so_far" in text or "number" in text for text in texts)


@pytest.mark.long
def test_a_solution_decides_where_the_tests_do_not() -> None:
    wrong = "def middle(a, b, c):\n    numbers = [a, b, c]\n    return numbers[1]\n"
    right = "def middle(x, y, z):\n    ordered = sorted([x, y, z])\n    return ordered[1]\n"
    tests = "import unittest\nfrom m import middle\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n"
    tests += "        self.assertEqual(middle(1, 3, 2), 2)\n\n    def test_sorted(self):\n"
    tests += "        self.assertEqual(middle(4, 5, 6), 5)\n"
    files = {"m.py": wrong, "test_m.py": tests}
    finding = repair(files, solutions=[{"m.py": right}], seconds=60)
    assert finding.repair is not None
    middle = repaired_function(files, finding, "middle")
    assert [middle(*one) for one in ((9, 1, 5), (5, 9, 1), (2, 2, 1))] == [5, 5, 2]


def test_a_part_of_the_solution_that_only_satisfies_the_tests_is_not_enough() -> None:
    wrong = MINE.replace("result = 0", "result = 1")
    tests = "import unittest\nfrom m import total\n\n\nclass T(unittest.TestCase):\n    def test_none(self):\n"
    tests += "        self.assertEqual(total([]), 0)\n\n    def test_two(self):\n"
    tests += "        self.assertEqual(total([0, 5]), 5)\n"
    files = {"m.py": wrong, "test_m.py": tests}
    total = repaired_function(files, repair(files, solutions=[{"m.py": THEIRS}], seconds=60), "total")
    assert [total(one) for one in ([1], [3, 4, 5], [])] == [1, 12, 0]


def test_of_several_solutions_the_one_that_most_agree_with_judges() -> None:
    right = "def middle(x, y, z):\n    return sorted([x, y, z])[1]\n"
    other = "def middle(p, q, r):\n    return p + q + r - max(p, q, r) - min(p, q, r)\n"
    wrong = "def middle(a, b, c):\n    return b + c - 3\n"
    files = {"m.py": "def middle(a, b, c):\n    return [a, b, c][1]\n"}
    files["test_m.py"] = (
        "import unittest\nfrom m import middle\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(middle(1, 3, 2), 2)\n"
    )
    finding = repair(files, solutions=[{"m.py": one} for one in (wrong, right, other)], seconds=60)
    assert finding.repair is not None
    middle = repaired_function(files, finding, "middle")
    assert [middle(*one) for one in ((9, 1, 5), (5, 9, 1), (2, 2, 1))] == [5, 5, 2]


def test_what_classmates_came_to_is_lent_to_those_who_could_not_be_repaired() -> None:
    def handed_in(student: str) -> assignments.Submission:
        return assignments.Submission("sum", student, {"a.py": f"x = 1  # {student}\n"}, {}, {}, {})

    def line(student: str, repaired: bool) -> dict[str, object]:
        change = Repair("a.py", 1, "", "", (("x = 1", "x = 2"),), "", ())
        told = {"task": f"sum/{student}", "outcome": "done", "status": "repaired" if repaired else "not_found"}
        return {**told, "repaired": repaired, "changes": [asdict(change)] if repaired else []}

    every = {f"sum/{student}": handed_in(student) for student in ("ann", "bob", "cem", "dee")}
    lines = {name: line(name[4:], repaired=name == "sum/ann") for name in every}
    again = assignments.lent_to(lines, every, 50.0)
    assert [task.name for task in again] == ["sum/bob", "sum/cem", "sum/dee"]
    assert {one["a.py"] for task in again for one in task.data["solutions"]} == {"x = 2  # ann\n"}
    assert {task.repeat for task in again} == {1}
    lines = {name: line(name[4:], repaired=name != "sum/dee") for name in every}
    assert len(assignments.lent_to(lines, every, 50.0)) == 4, "three that were repaired can outvote a wrong one"
    assert assignments.lent_to({name: line(name[4:], repaired=False) for name in every}, every, 50.0) == []


def test_the_table_and_the_page_tell_what_was_changed_and_hide_nothing() -> None:
    change = Repair("a.py", 7, "x < 1", "x <= 1", (("x < 1", "x <= 1"),), "a different comparison", ("t.T.test_one",))
    repaired = Finding("repaired", change, seconds=1.25)
    missed = Finding("not_found", suspicious=(("a.py", 3),), why=("it raised KeyError: 'a'",))
    lines = [
        {"task": f"days/{name}", "outcome": "done", "status": found.status, "repaired": found is repaired, "true": true}
        | {"change": assignments.change_of(found), "changes": [asdict(part) for part in assignments.parts_of(found)]}
        | {"hint": assignments.hint_of(found), "seconds": found.seconds}
        for name, found, true in (("lena", repaired, True), ("omar", missed, False))
    ]
    lost = {"task": "days/zoe", "outcome": "lost", "cause": "its worker died"}
    assert "line 7: x < 1 -> x <= 1 (a different comparison)" in assignments.line_of(lines[0])
    assert "test_one: look at line 7 again" in lines[0]["hint"]
    assert "line 3 first: it raised KeyError" in lines[1]["hint"]
    page = assignments.page_of([*lines, lost])
    assert "x &lt;= 1" in page
    assert "not tried: its worker died" in page
    assert "3 submissions, 1 repaired, 1 truly (9-91 % with 95 % confidence)" in page


@pytest.mark.long
def test_one_submission_from_the_folder_to_the_page(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
    told = ["--tasks", str(HOMEWORK), "--solutions", str(HOMEWORK), "--only", "days/lena", "--out", str(out)]
    assert bench_repair.main([*told, "--page", str(page), "--seconds", "60"]) == 0
    assert "lena" in page.read_text(encoding="utf-8")


def test_no_submissions_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_repair.main(["--tasks", str(tmp_path)]) == 1
    assert "submissions/" in capsys.readouterr().err


def archive(place: Path, files: dict[str, str]) -> Path:
    """A folder of source distributions that holds one with these files, as a draw keeps them."""
    (place / "thing").mkdir()
    with tarfile.open(place / "thing" / "thing-1.0.tar.gz", "w:gz") as held:
        for name, text in files.items():
            member = tarfile.TarInfo(f"thing-1.0/{name}")
            member.size = len(text.encode())
            held.addfile(member, io.BytesIO(text.encode()))
    return place


PACKAGE = {
    "src/thing/__init__.py": "def larger(a, b):\n    if a > b:\n        return a\n    return b + 0\n",
    "tests/test_thing.py": "from thing import larger\n\n\ndef test_it():\n    assert larger(1, 2) == 2 and larger(3, 1) == 3\n",
    "setup.py": "raise SystemExit\n",
    "PKG-INFO": "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\nLicense: MIT\n",
}


def test_a_package_is_read_below_its_own_folder(tmp_path: Path) -> None:
    package = load("thing", archive(tmp_path, PACKAGE))
    assert (package.name, package.version, package.licence) == ("thing", "1.0", "MIT")
    assert [path for path in package.files if path.endswith(".py")] == ["thing/__init__.py", "tests/test_thing.py"]
    assert read_project(package.files).program_paths == ("thing/__init__.py",)


@pytest.mark.long
def test_a_planted_bug_is_repaired_and_compared_with_what_was_there(tmp_path: Path) -> None:
    package = load("thing", archive(tmp_path, PACKAGE))
    start = package.files["thing/__init__.py"].index(">")
    bug = Bug("operator", Edit("thing/__init__.py", start, start + 1, "<"), 2, ">", "<")
    result = planted._measure(package, bug, 60, threading.Event())
    assert (result.status, result.right, result.wrong) == ("repaired", ">", "<")
    assert result.as_it_was
    assert re.search(r"^operator +1 +1 +21-100 +1 ", planted.totals([result]), re.MULTILINE)
