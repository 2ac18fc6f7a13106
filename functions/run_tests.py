"""Tool: run the tests, unittest or pytest, whichever the directory uses; the failing ones come first."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from config import MAX_CHARACTERS
from functions import Result, ToolError, Verdict
from functions.refused import refused
from functions.tool import Tool
from sandbox.files.root import Refusal, Root, hold
from sandbox.running.reports import PLAIN_PYTEST, failing_tests, pytest_verdict, run_code, unittest_verdict, why_stopped

SCHEMA = {
    "name": "run_tests",
    "description": "Run the tests (unittest or pytest) and return the failing ones first.",
    "parameters": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "A test file or a directory of tests"}},
        "required": [],
    },
}

TEST_FILE = re.compile(r"(test.*|.*_test)\.py")
LACKING = re.compile(r"error: unrecognized arguments: (.+)|Missing required plugins: (.+)")  # of a project's settings
WITHOUT = "[Run without the project's own options for pytest: {}. What knows them is not installed.]"
PYTEST_STYLE = re.compile(r"^\s*(import pytest|from pytest )|^(async )?def test", re.MULTILINE)


def run_tests(working_directory: str | Path | Root, path: str = ".", *, suspects: bool = True) -> str:
    """Return a verdict in one line, then each failing test with its traceback, at most 10,000 characters in all.

    Between them stand the `suspects`, the lines of the program where the bug most likely is: a language model that
    reads failing tests alone often mends the tests.
    """
    try:
        with hold(working_directory) as root:
            files = test_files(root, path)
            if not files:
                return ToolError(f'no tests found in "{path}"; test files are named test*.py or *_test.py')
            styled = any(PYTEST_STYLE.search(text) for text in files.values())
            pytest = styled or is_for_pytest(root, list(files))
            if pytest and find_spec("pytest") is None:
                return ToolError("these tests need pytest, and it is not installed; the person can: pip install pytest")
            places = [path] if styled else list(files)  # pytest itself looks for no tests.py
            arguments = pytest_arguments(places) if pytest else unittest_arguments(root, list(files))
            outcome = run_code(root, arguments)
            if pytest and (lacking := LACKING.search(outcome.stderr)):
                outcome = run_code(root, ["-m", "pytest", *PLAIN_PYTEST, *arguments[2:]])
                note = WITHOUT.format(lacking[1] or lacking[2])
                outcome = outcome._replace(notes=(*outcome.notes, note))
    except Refusal as refusal:
        return refused(refusal, working_directory, path, "file", "directory")
    if outcome.stopped_for:
        return ToolError(f"the test run {why_stopped(outcome)}\n{shorten(outcome.stderr or outcome.stdout)}")
    report = pytest_verdict(outcome) if pytest else unittest_verdict(outcome)
    first, *failing = report.split("\n", 1)
    named = failing_tests(report)
    lines: list[str] = []
    if named and suspects:
        from functions.suggest_repair import suspect_lines

        lines = suspect_lines(working_directory)
    return Result(shorten("\n".join([first, *outcome.notes, *lines, *failing])), verdict=Verdict(first, named))


def test_files(root: Root, path: str) -> dict[str, str]:
    """Return path and text of each test file: `path` itself when it is a file, else those below it."""
    if root.is_file(path):
        return {path: root.read_text(path)}
    found = {}
    for name, entry in root.walk(path):
        if TEST_FILE.fullmatch(entry.name):
            try:
                found[name] = root.read_text(name)
            except Refusal:  # unreadable or not text: the test run itself will complain, if it is one
                continue
    return found


def is_for_pytest(root: Root, files: list[str]) -> bool:
    """Whether unittest's tests stand beside or below a `conftest.py`, which pytest alone heeds, and pytest is here."""
    folders = {folder for name in files for folder in PurePosixPath(name).parents}
    return any(root.is_file(str(folder / "conftest.py")) for folder in folders) and find_spec("pytest") is not None


def pytest_arguments(places: list[str]) -> list[str]:
    return ["-m", "pytest", "-q", "--tb=short", "--no-header", "--color=no", "-p", "no:cacheprovider", "--", *places]


def unittest_arguments(root: Root, files: list[str]) -> list[str]:
    """Name every file as a module where that can work; a folder of tests that is no package is discovered instead."""
    folders = {str(PurePosixPath(name).parent) for name in files}
    folder = folders.pop()
    if folders or folder == "." or root.is_file(f"{folder}/__init__.py"):
        return ["-m", "unittest", *[name.removesuffix(".py").replace("/", ".") for name in files]]
    pattern = PurePosixPath(files[0]).name if len(files) == 1 else "*test*.py"
    return ["-m", "unittest", "discover", "-s", folder, "-t", folder, "-p", pattern]


def shorten(text: str) -> str:
    """Keep the verdict and the first failures: they are mostly one mistake seen many times."""
    if len(text) <= MAX_CHARACTERS:
        return text
    more = len(text) - MAX_CHARACTERS
    return f"{text[:MAX_CHARACTERS]}\n[...{more} more characters. Run one test file alone to see less.]"


TOOL = Tool(name="run_tests", function=run_tests, schema=SCHEMA, reads_only=False, path="path", verifies=True)
PLAIN = replace(TOOL, function=partial(run_tests, suspects=False))  # finding them takes a second
