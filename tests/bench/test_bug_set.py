"""The bug set in datasets/bugs: every case is sound, shows its bug, and tells a true repair from an overfit one.

The cheap part reads the files. The long part runs every case four times: its visible and its held-back tests,
with the bug and without it. Failures name a case; for the held third, whoever tunes the repairer should not look.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from config import PROJECT

BUGS = PROJECT / "datasets" / "bugs"
PARTS = ("open", "held")
KINDS = {
    "accumulation",
    "attribute",
    "comparison",
    "constant",
    "early-return",
    "indentation",
    "initial-value",
    "missing-guard",
    "missing-return",
    "not",
    "off-by-one",
    "operator",
    "pair",
    "statement",
    "swapped-arguments",
    "syntax",
    "wrong-call",
    "wrong-variable",
}
LINES = range(30, 301)  # of a program, its tests not counted
VISIBLE_TESTS = {"open": range(3, 21), "held": range(3, 16)}  # test functions; a parametrised one counts once
HANG = 60.0  # seconds; every suite takes less than one
COMMANDS = {
    "unittest": ("-m", "unittest", "-v"),
    "pytest": ("-m", "pytest", "-q", "-p", "no:cacheprovider"),
}
PASSED = {"unittest": re.compile(r"\.\.\. ok$", re.MULTILINE), "pytest": re.compile(r"(\d+) passed")}


@dataclass(frozen=True)
class Case:
    folder: Path

    @cached_property
    def told(self) -> dict[str, Any]:
        return json.loads((self.folder / "case.json").read_text(encoding="utf-8"))

    @property
    def label(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def bug(self) -> dict[str, Any]:
        return self.told["bug"]

    @property
    def program(self) -> Path:
        return self.folder / "program"

    @property
    def buggy_text(self) -> str:
        return (self.program / self.bug["path"]).read_text(encoding="utf-8")

    @property
    def right_text(self) -> str:
        """The file with the bug, without it."""
        lines = self.buggy_text.split("\n")
        start = self.bug["line"] - 1
        end = start + self.bug["wrong"].count("\n") + 1
        return "\n".join([*lines[:start], *self.bug["right"].split("\n"), *lines[end:]])

    def sources(self, *, tests: bool) -> list[Path]:
        return [path for path in sorted(self.program.rglob("*.py")) if is_test(path.relative_to(self.program)) == tests]

    def texts(self) -> Iterator[str]:
        """Every Python file of the case as it is without the bug."""
        for path in sorted(self.folder.rglob("*.py")):
            if path != self.program / self.bug["path"]:
                yield path.read_text(encoding="utf-8")
        yield self.right_text


class Ran(NamedTuple):
    green: bool
    passed: int


def is_test(path: Path) -> bool:
    return "tests" in path.parts[:-1] or path.name.startswith("test") or path.name == "conftest.py"


def cases(*parts: str) -> list[Case]:
    return [Case(path.parent) for part in parts or PARTS for path in sorted((BUGS / part).glob("*/case.json"))]


@cache
def tree(text: str) -> ast.Module:
    return ast.parse(text)


def parses(text: str) -> bool:
    try:
        tree(text)
    except SyntaxError:
        return False
    return True


def count_tests(paths: list[Path]) -> int:
    nodes = (node for path in paths for node in ast.walk(tree(path.read_text(encoding="utf-8"))))
    return sum(isinstance(node, ast.FunctionDef) and node.name.startswith("test") for node in nodes)


def imported(text: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def test_every_case_tells_what_it_is() -> None:
    for case in cases():
        assert set(case.told) == {"name", "kind", "theme", "framework", "bug"}, case.label
        assert set(case.bug) == {"path", "line", "wrong", "right"}, case.label
        assert case.told["name"] == case.folder.name
        assert case.told["kind"] in KINDS, case.label
        assert case.told["theme"], case.label
        assert case.told["framework"] in COMMANDS, case.label


def test_every_folder_is_a_case() -> None:
    for part in PARTS:
        folders = {path.name for path in (BUGS / part).iterdir() if path.is_dir()}
        assert folders == {case.folder.name for case in cases(part)}


def test_the_wrong_lines_stand_where_the_case_says() -> None:
    for case in cases():
        wrong, right = case.bug["wrong"], case.bug["right"]
        start = case.bug["line"] - 1
        there = case.buggy_text.split("\n")[start : start + wrong.count("\n") + 1]
        assert "\n".join(there) == wrong, case.label
        assert wrong != right, case.label
        assert not is_test(Path(case.bug["path"])), case.label


def test_only_a_syntax_error_keeps_a_program_from_being_read() -> None:
    for case in cases():
        assert parses(case.buggy_text) == (case.told["kind"] != "syntax"), case.label
        assert all(parses(text) for text in case.texts()), case.label


def test_names_are_unique_and_the_held_themes_are_others() -> None:
    names = [case.told["name"] for case in cases()]
    assert len(names) == len(set(names))
    open_themes, held_themes = ({case.told["theme"] for case in cases(part)} for part in PARTS)
    assert not open_themes & held_themes


def test_there_are_enough_cases_of_every_kind_and_a_third_is_held() -> None:
    assert len(cases()) >= 80
    assert 3 * len(cases("held")) >= len(cases())
    for part in PARTS:
        assert {case.told["kind"] for case in cases(part)} == KINDS


def test_some_programs_have_several_files_and_both_frameworks_occur() -> None:
    for part in PARTS:
        found = cases(part)
        assert sum(len(case.sources(tests=False)) > 1 for case in found) >= 6
        assert sum(case.told["framework"] == "pytest" for case in found) >= len(found) // 3


def test_programs_are_neither_tiny_nor_large_and_have_tests() -> None:
    for case in cases():
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in case.sources(tests=False))
        assert lines in LINES, f"{case.label}: {lines} lines"
        visible = count_tests(case.sources(tests=True))
        assert visible in VISIBLE_TESTS[case.folder.parent.name], f"{case.label}: {visible} tests"
        assert count_tests([case.folder / "hidden" / "test_hidden.py"]) >= 1, case.label


def test_held_back_tests_replace_nothing_of_the_program() -> None:
    for case in cases():
        hidden = case.folder / "hidden"
        for path in hidden.rglob("*.py"):
            assert not (case.program / path.relative_to(hidden)).exists(), case.label


def test_cases_need_nothing_but_the_standard_library_and_pytest() -> None:
    for case in cases():
        own = {path.stem for path in case.program.iterdir()}
        needed = set().union(*map(imported, case.texts())) - own
        assert needed <= {*sys.stdlib_module_names, "pytest"}, case.label


def run_suite(directory: Path, framework: str, *names: str) -> Ran:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # a plugin that nobody needs takes longer than the tests
    ran = subprocess.run(
        [sys.executable, "-B", *COMMANDS[framework], *names],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=HANG,
    )
    found = PASSED[framework].findall(ran.stdout + ran.stderr)
    return Ran(ran.returncode == 0, len(found) if framework == "unittest" else sum(map(int, found)))


def run_both_suites(case: Case, directory: Path) -> tuple[Ran, Ran]:
    """Visible tests, then the held-back ones, which stand beside them only for their own run."""
    framework = case.told["framework"]
    visible = run_suite(directory, framework)
    shutil.copytree(case.folder / "hidden", directory, dirs_exist_ok=True)
    return visible, run_suite(directory, framework, "test_hidden" if framework == "unittest" else "test_hidden.py")


def complaints(case: Case, scratch: Path) -> list[str]:
    ignored = shutil.ignore_patterns("__pycache__")
    buggy = shutil.copytree(case.program, scratch / f"{case.folder.name}-buggy", ignore=ignored)
    right = shutil.copytree(case.program, scratch / f"{case.folder.name}-right", ignore=ignored)
    (right / case.bug["path"]).write_text(case.right_text, encoding="utf-8")
    visible, hidden = run_both_suites(case, buggy)
    right_visible, right_hidden = run_both_suites(case, right)
    expected = {
        "with the bug a visible test fails": not visible.green,
        "with the bug some visible tests pass (none of a program that cannot be read)": (
            (visible.passed > 0) == (case.told["kind"] != "syntax")
        ),
        "with the bug a held-back test fails": not hidden.green,
        "without the bug all visible tests pass": right_visible.green and right_visible.passed > 0,
        "without the bug all held-back tests pass": right_hidden.green and right_hidden.passed > 0,
    }
    return [f"{case.label}: not so: {claim}" for claim, holds in expected.items() if not holds]


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_every_case_fails_in_part_with_its_bug_and_passes_without_it(part: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(max_workers=2) as pool:  # each thread waits for one child process
        found = list(pool.map(lambda case: complaints(case, tmp_path), cases(part)))
    assert len(found) == len(cases(part))
    assert not sum(found, [])
