"""suggest_repair and apply_repair: a change that the tests proved, made by its number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from functions import ToolError, apply_repair, suggest_repair
from functions.run_tests import run_tests
from functions.suggestions import Suggestions, texts_in
from sandbox.files.root import Root

PROGRAM = "def most(left, right):\n    if left > right:\n        return left\n    return left\n"
TESTS = """import unittest

from sizes import most


class Most(unittest.TestCase):
    def test_left(self):
        self.assertEqual(most(2, 1), 2)

    def test_right(self):
        self.assertEqual(most(1, 2), 2)

    def test_far(self):
        self.assertEqual(most(-5, 40), 40)
"""
Project = Callable[[dict[str, str]], Path]


@pytest.fixture
def broken(project: Project) -> Iterator[Suggestions]:
    with Root(project({"sizes.py": PROGRAM, "test_sizes.py": TESTS, "notes.bin": "\udcff"})) as root:
        yield Suggestions(root)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    def made(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        return tmp_path

    return made


def test_a_suggestion_is_made_by_its_number_and_the_tests_speak(broken: Suggestions):
    said = suggest_repair.TOOL.function(broken)
    assert not isinstance(said, ToolError)
    assert "1. sizes.py:4: `return left` becomes `return right`" in said
    assert broken.root.read_text("sizes.py") == PROGRAM, "suggesting changes nothing"
    old, new = apply_repair.change(broken, {"number": 1})
    assert (old, new) == (PROGRAM, PROGRAM[:-5] + "right\n"), "the preview shows what will be written"
    made = apply_repair.TOOL.function(broken, number=1)
    assert broken.root.read_text("sizes.py") == new
    assert made.startswith("Changed sizes.py:4")
    assert "All 3 tests passed" in made
    assert suggest_repair.TOOL.function(broken) == "All tests pass, so there is nothing to repair."


def test_it_can_be_made_without_having_been_asked_for_as_in_a_run_that_was_forked(broken: Suggestions):
    assert "All 3 tests passed" in apply_repair.TOOL.function(broken, number=1)


def test_what_changed_since_the_search_is_left_as_it_is(broken: Suggestions):
    suggest_repair.TOOL.function(broken)
    broken.root.write_text("sizes.py", "# mine\n" + PROGRAM)
    said = apply_repair.TOOL.function(broken, number=1)
    assert isinstance(said, ToolError)
    assert "sizes.py" in said
    assert "suggest_repair" in said
    assert broken.root.read_text("sizes.py") == "# mine\n" + PROGRAM


def test_a_number_that_there_is_none_of_names_those_that_there_are(broken: Suggestions):
    suggest_repair.TOOL.function(broken)
    said = apply_repair.TOOL.function(broken, number=9)
    assert isinstance(said, ToolError)
    assert f"from 1 to {len(broken.found)}" in said
    assert apply_repair.change(broken, {"number": 9}) == ("", "")


@pytest.mark.long
def test_where_nothing_passes_the_lines_to_look_at_are_named(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("functions.suggestions.SECONDS", 10.0)
    wish = "from poem import poem\n\n\ndef test_poem():\n    assert poem('rain') == 'It falls on every roof alike'\n"
    with Root(project({"poem.py": "def poem(about):\n    return about * len(about)\n", "test_poem.py": wish})) as root:
        suggestions = Suggestions(root)
        said = suggest_repair.TOOL.function(suggestions)
        assert "suspect: poem.py:2: return about * len(about)" in said
        nothing = apply_repair.TOOL.function(suggestions, number=1)
    assert isinstance(nothing, ToolError)
    assert "suggest_repair" in nothing


def test_nothing_is_run_where_no_wall_stands(broken: Suggestions, monkeypatch: pytest.MonkeyPatch):
    def refused(root: Root) -> None:
        from sandbox.files.root import Refusal

        raise Refusal("Code is not run here", "unconfined")

    monkeypatch.setattr("functions.suggestions.refuse_unconfined", refused)
    for said in (suggest_repair.TOOL.function(broken), apply_repair.TOOL.function(broken, number=1)):
        assert isinstance(said, ToolError)
        assert "Code is not run here" in said


def test_where_tests_fail_the_suspect_lines_of_the_program_come_first(broken: Suggestions):
    report = run_tests(broken.root)
    verdict, *rest = report.split("\n")
    assert verdict.startswith("2 of 3 tests failed")
    assert rest[0] == "suspect: sizes.py:4: return left"
    assert "test_sizes.py" not in rest[0]
    assert [line.split(" ")[1] for line in report.verdict.failing] == ["test_far", "test_right"]
    broken.root.write_text("sizes.py", PROGRAM[:-5] + "right\n")
    assert "suspect" not in run_tests(broken.root)


def bill(fee: str) -> str:
    """A program in which each line is as suspicious as the next; what it lacks stands below the fee."""
    adds = [f"    total = total + n * {number}" for number in range(2, 17)]
    lines = [
        "def bill(n):",
        "    total = 0",
        *adds,
        f"    fee = {fee}",
        "    both = fee * 7",
        "    return total + both - 1",
    ]
    return "\n".join([*lines, ""])


def test_after_a_change_that_did_not_help_the_search_begins_at_its_lines_and_finishes_it(project: Project):
    """From the file as it was no change makes all tests pass; of the changed one, without its lines first, another does
    that happens to fit."""
    right = [n * sum(range(2, 17)) + n * 3 * 8 - 1 for n in (1, 5, 8)]
    tests = TESTS.split("class")[0].replace("sizes", "bill").replace("most", "bill")
    tests += "class Bill(unittest.TestCase):\n    def test_bill(self):\n"
    tests += f"        self.assertEqual([bill(n) for n in (1, 5, 8)], {right})\n"
    with Root(project({"bill.py": bill("n + 4"), "test_bill.py": tests})) as root:
        suggestions = Suggestions(root)
        suggestions._start = (texts_in(root), [])  # a search that found nothing
        root.write_text("bill.py", bill("n * 3"))
        finding = suggestions.search()
    assert finding.suspicious[0] == ("bill.py", 18)
    assert {line for _, line in finding.suspicious[1:4]} <= {16, 17, 19, 20}
    assert (finding.repair.line, finding.repair.new_line.strip()) == (19, "both = fee * 8")


@pytest.mark.long
def test_what_was_found_before_a_change_that_leads_nowhere_takes_it_back(broken: Suggestions):
    suggest_repair.TOOL.function(broken)
    broken.root.write_text("sizes.py", PROGRAM.replace("return left\n    return", "print(left)\n    return"))
    assert broken.stale
    said = suggest_repair.TOOL.function(broken)
    assert "what was tried since is taken back" in said
    made = apply_repair.TOOL.function(broken, number=1)
    assert broken.root.read_text("sizes.py") == PROGRAM[:-5] + "right\n"
    assert "All 3 tests passed" in made
