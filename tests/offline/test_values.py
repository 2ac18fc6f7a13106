"""What a line does with the values that a failing test gives it, seen by running the test in a sandboxed copy."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from offline.coder.evidence import in_words, shown_by
from offline.values.values import Seen, values_at

PROGRAM = """\
RATE = 7


def add(words, text):
    for word in text.split():
        words[word] += 1
    return words


class Cart:
    def __init__(self):
        self.total = 0

    def put(self, price):
        self.total = self.total + price * RATE
        print("this must not be taken for the report")
"""
TESTS = """\
import unittest
import program


class T(unittest.TestCase):
    def test_add(self):
        self.assertEqual(program.add({"a": 1}, "a b"), {})

    def test_put(self):
        cart = program.Cart()
        cart.put(2)
        cart.put(3)
        self.assertEqual(cart.total, 0)
"""
FILES = {"program.py": PROGRAM, "test_program.py": TESTS}


def seen(test: str, line: int, files: dict[str, str] = FILES) -> Seen | None:
    return values_at(files, test, "program.py", (line, line), threading.Event())


def test_what_a_line_changes_is_seen_the_first_time_that_it_runs():
    assert seen("test_program.T.test_put", 15) == Seen(
        {"self.total": "0", "price": "2", "RATE": "7"}, {"self.total": "14"}, ""
    )


def test_a_line_that_raises_is_seen_as_it_was_then():
    found = seen("test_program.T.test_add", 6)
    assert found is not None
    assert found.values == {"words": "{'a': 2}", "word": "'b'"}
    assert found.outcome == "raises KeyError: 'b'"


def test_a_test_of_pytest_is_watched_by_its_id():
    tests = "from program import add\n\ndef test_add():\n    assert add({'b': 0}, 'b') == {}\n"
    found = seen("test_program.py::test_add", 7, {"program.py": PROGRAM, "test_program.py": tests})
    assert found == Seen({"words": "{'b': 1}"}, {}, "returns {'b': 1}")


def test_a_line_that_the_test_never_reaches_is_not_seen():
    assert seen("test_program.T.test_put", 6) is None
    assert in_words(None) == ""


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (Seen({"a": "1", "b": "2"}, {}, "returns 3"), "With a = 1 and b = 2 it returns 3."),
        (Seen({"a": "1"}, {"a": "2"}, ""), "With a = 1 it makes a = 2."),
        (Seen({}, {}, "raises KeyError: 1"), "It raises KeyError: 1."),
        (Seen({"a": "1"}, {}, ""), ""),
    ],
)
def test_what_was_seen_is_a_sentence(what: Seen, words: str):
    assert in_words(what) == words


def test_what_shows_a_bug_is_called_by_what_it_was_made_of():
    assert shown_by(["a.T.test_x", "b/test_c.py::test_y[1.5-2]"]) == "Shown by test_x, test_y[1.5-2]."
    assert shown_by(["test_what_the_user_said.Said.test_said_1"]) == "Shown by what you said."
    assert shown_by(["test_what_the_script_does.Script.test_script"]) == "Shown by running the program."
    assert shown_by(["test_what_the_examples_say.Examples.test_0_f"]) == "Shown by the examples in the documentation."
    assert shown_by([]) == ""


@pytest.mark.long
def test_hints_go_on_with_continue(
    run_main: Callable[..., subprocess.CompletedProcess[str]],
    project: Callable[[dict[str, str]], Path],
    soon_repaired: dict[str, str],
    tmp_path: Path,
):
    root = project(soon_repaired)
    place = ["--workdir", str(root), "--provider", "offline"]
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    assert "Hint 1 of 3" in run_main("give me a hint", *place, **kept).stdout
    assert "Hint 2 of 3" in run_main("--continue", "another hint", *place, **kept).stdout
    third = run_main("--continue", "more", *place, **kept).stdout
    assert "Hint 3 of 3" in third
    assert "return number * 2" in third
    assert {path: (root / path).read_text() for path in soon_repaired} == soon_repaired
