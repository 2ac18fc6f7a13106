"""Mutants of the program: which changes count, which tests are asked, and that a change is noticed or not."""

from __future__ import annotations

import yaml

from bench.mutants.changes import EQUIVALENT, Mutant, meaning
from bench.mutants.measure import Suite, statement
from bench.mutants.rooms import ROOMS, files_of
from config import PROJECT


def test_what_changes_annotations_or_documentation_alone_is_no_mutant():
    text = 'def total(items: list[int]) -> int:\n    """Add."""\n    return sum(items)\n'
    assert meaning(text) == meaning(text.replace("list[int]", "list[str]").replace("-> int", "-> str | None"))
    assert meaning(text) == meaning(text.replace("Add.", "Subtract."))
    assert meaning(text) != meaning(text.replace("sum(items)", "-sum(items)"))
    assert meaning("def total(") == ""
    text = "def total(items, *, start, most=9): ...\n"
    assert meaning(text) == meaning(text.replace("*", "/")), "who calls it does so as before"
    assert meaning(text) != meaning(text.replace("9", "8"))


def test_every_room_of_mutants_has_files_and_tests():
    for room in ROOMS.values():
        assert list(files_of(room))
        assert all((PROJECT / name).exists() for name in room.tests)


def test_each_change_that_is_said_to_do_the_same_stands_with_its_reason_and_is_still_in_the_file():
    for path, changes in yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8")).items():
        text = [line.strip() for line in (PROJECT / path).read_text(encoding="utf-8").splitlines()]
        for each in changes:
            assert each["why"].strip()
            assert any(line.startswith("+ ") for line in each["change"])
            assert all(line[2:] in text for line in each["change"] if line.startswith("- ")), each


def test_a_mutant_is_tried_with_the_tests_that_pass_through_its_line():
    path = "call_functions.py"
    text = (PROJECT / path).read_text(encoding="utf-8")
    number, line = next(
        (number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith("return ")
    )
    mutant = Mutant(path, "a kind", 0, text.replace(f"{line}\n", f"{line} and False\n", 1))
    assert mutant.lines == [number]
    assert number in statement(mutant)
    tests = Suite(PROJECT, None, {path: {str(number): ["slow", "quick"], "1": ["other"]}}, {"slow": 2.0, "quick": 1.0})
    assert tests.passing(mutant) == ["quick", "slow"]
    tests.through[path].pop(str(number))
    assert tests.passing(mutant) == ["other"], "of a line that no test passes: all of the file"
