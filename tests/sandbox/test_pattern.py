"""What a regular expression cannot match is passed over early, and nothing that it can."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from contextlib import nullcontext

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from config import PROJECT
from functions.search_files import Text
from sandbox.files import pattern
from sandbox.files.pattern import Pattern, literal_of

PIECES = [
    *"abc {}]?*+^$.|()-",
    "[ab]",
    "[^a]",
    "[]a]",
    r"[\]b]",
    r"\(",
    r"\\",
    r"\w",
    r"\b",
    r"\s",
    r"\x41",
    "{1,2}",
    "{0}",
]
GROUPS = ["(?:", "(?P<a>", "(?i)", "(?=", "(?!", "(?#a)", "a" * 3]


EXPRESSIONS = st.lists(st.sampled_from(PIECES + GROUPS), max_size=9).map("".join)
LINES = st.lists(st.text("abcA ()\\]{}-", max_size=9), min_size=5, max_size=20)


@given(EXPRESSIONS, LINES)
def test_every_match_holds_the_literal_of_its_expression(expression: str, lines: list[str]):
    try:
        compiled = re.compile(expression)
    except (re.error, OverflowError):
        compiled = None
    assume(compiled)
    assert [line for line in lines if compiled.search(line) and literal_of(expression) not in line.encode()] == []


@pytest.mark.parametrize(
    ("expression", "literal"),
    [
        ("needle_[a-z]+_hay", "needle_"),
        (r"def \w+\(self\)", "(self)"),
        ("(abc)?def", "def"),
        ("ab+c", "a"),
        ("colou?r", "colo"),
        ("x{2,3}yz", "yz"),
        (r"\x41BC", "ABC"),
        (r"caf\u00e9", "café"),
        (r"\101BC", "ABC"),
        ("(?x) a b # c", "ab"),
        ("one|two", ""),
        ("(?i)abc", ""),
        ("(?mi)abc", ""),
        ("(?m)abc", "abc"),
        ("ab.cd", "ab"),
        ("a\ufffdb", ""),
        (r"\d+", ""),
    ],
)
def test_the_literal_is_the_longest_that_every_match_holds(expression: str, literal: str):
    assert literal_of(expression) == literal.encode()


def found_in(looked_for: Pattern | Text, files: list[tuple[str, bytes]]) -> list[tuple[str, list[tuple[int, str]]]]:
    with looked_for if isinstance(looked_for, Pattern) else nullcontext():
        return list(looked_for.search(files))


FILES = [
    ("a", b"one\r\ntwo needle\r\nthree"),
    ("b", b"nothing here"),
    ("c", b"needle\n\nneedle 2\xff"),
    ("d", b""),
]
FOUND = [("a", [(2, "two needle")]), ("b", []), ("c", [(1, "needle"), (3, "needle 2\ufffd")]), ("d", [])]


@pytest.mark.parametrize("together", [1, 20, 131_072])
@pytest.mark.parametrize(("query", "regex"), [("needle", False), ("needle", True), ("nee[d]le", True)])
def test_every_file_is_told_once_with_its_matching_lines(
    monkeypatch: pytest.MonkeyPatch, query: str, regex: bool, together: int
):
    monkeypatch.setattr(pattern, "TOGETHER", together)
    assert sorted(found_in(Pattern(query, 30) if regex else Text(query), FILES)) == FOUND


def test_the_files_that_match_come_in_their_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pattern, "TOGETHER", 20)
    files = [(str(number), b"x" * number + b"needle") for number in range(30)]
    assert [path for path, _ in found_in(Pattern("nee[d]le", 30), files)] == [path for path, _ in files]


@pytest.mark.parametrize(
    ("sizes", "asked"),
    [
        ([10, 10, 1], [[10, 10], [1]]),
        ([21, 20, 1], [[], [21], [20], [1]]),
        ([5, 5, 5, 5, 5], [[5, 5, 5, 5], [5]]),
        ([19, 1, 1], [[19, 1], [1]]),
    ],
)
def test_as_many_files_go_to_the_child_at_once_as_fit_into_a_message(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], asked: list[list[int]]
):
    seen: list[list[int]] = []
    monkeypatch.setattr(pattern, "TOGETHER", 20)
    monkeypatch.setattr(Pattern, "_ask", lambda self, files: seen.append([len(data) for _, data in files]) or [])
    found_in(Pattern("b?", 30), [(str(number), b"a" * size) for number, size in enumerate(sizes)])
    assert seen == asked


def test_an_expression_that_never_ends_is_stopped_and_what_came_before_it_stands():
    looked_for, began = Pattern("(a+)+$", 0.5), time.monotonic()
    seen = found_in(
        looked_for, [("quick", b"aaa"), ("slow", b"a" * 40 + b"!"), *[(str(n), b"x" * 200_000) for n in range(3)]]
    )
    assert looked_for.expired
    assert time.monotonic() - began < 20
    assert seen == []


def test_a_search_that_ends_in_time_is_not_expired_and_leaves_no_child():
    looked_for = Pattern("a", 30)
    found_in(looked_for, [("x", b"a")])
    assert not looked_for.expired
    assert looked_for._child.returncode is not None
    assert not looked_for._alarm.is_alive() or looked_for._alarm.finished.is_set()


@pytest.mark.parametrize("query", ["(", "a{99999999999}", "(" * 5000 + ")" * 5000])
def test_an_expression_that_python_cannot_take_is_an_error(query: str):
    with pytest.raises(re.error):
        Pattern(query, 1)


def test_of_one_file_at_most_a_thousand_lines_are_told():
    [(_, lines)] = found_in(Pattern("^a", 30), [("x", b"a\n" * 1500)])
    assert lines[0] == (1, "a")
    assert lines[-1] == (1000, "a")


@pytest.mark.parametrize(("seconds", "limit"), [(0.5, 1), (30, 31)])
def test_the_childs_own_limit_lies_just_beyond_the_alarm_and_is_never_none(seconds: float, limit: int):
    looked_for = Pattern("a", seconds)
    with looked_for:
        assert json.loads(looked_for._first) == ["a", limit]


SEARCHING = """if True:
    import threading
    from sandbox.files.pattern import Pattern
    with Pattern("(a+)+$", 0.9) as looked_for:
        threading.Timer(0.1, lambda: print(looked_for._child.pid, flush=True)).start()
        list(looked_for.search([("slow", b"a" * 40 + b"!")]))
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no limit on a process's own time there")
def test_a_search_whose_program_is_killed_ends_by_itself():
    program = subprocess.Popen([sys.executable, "-c", SEARCHING], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    assert program.stdout
    child = int(program.stdout.readline())
    program.kill()
    program.communicate()
    deadline = time.monotonic() + 30
    while runs(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(child)


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        with open(f"/proc/{process}/stat") as file:  # noqa: PTH123 - nobody may have waited for it yet
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True
