"""Edits that were not quoted to the letter: what is forgiven has a name and fits in one place, or nothing changes."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from functions import ToolError, edit_file, write_file
from functions.edit_file import edited, occurrences
from index import forgiving
from index.forgiving import fits, nearest
from sandbox.files.root import Refusal, Root

PROGRAM = """class Calculator:
    def __init__(self):
        self.operators: dict[str, int] = {
            "+": 1,
            "-": 1,
        }

    def result(self, left, right):
        total = left + right
        return total
"""


@pytest.mark.parametrize(
    ("old", "new", "forgiven", "line"),
    [
        ('    "+": 1,  \n', '    "+": 3,\n', "indentation of all lines", '            "+": 3,'),
        ('            "+": 1, \n            "-": 1,', '            "+": 2,\n', "white space at line ends", '"+": 2,'),
        ("def result(self, left, right):\n    total = left + right", "def result(self):\n    total = 0", "indentation", "        total = 0"),
        ("            total = left + right\n            return total", "            return left", "indentation", "        return left"),
        ("total = left + right\\n        return total", "total = 0\\n        return total", "\\n written", "        total = 0"),
        ("9:         total = left + right\n10:         return total", "9:         return 5", "line numbers", "        return 5"),
        ("line 9:         total = left + right", "        total = 7", "line numbers", "        total = 7"),
        ("```python\n        return total\n```", "```python\n        return 0\n```", "fences", "        return 0"),
        ("...\n        return total\n...", "...\n        return 1\n...", "... copied along", "        return 1"),
    ],
)  # fmt: skip
def test_what_fits_in_one_place_is_applied_there_and_named(
    tmp_path: Path, old: str, new: str, forgiven: str, line: str
):
    (tmp_path / "a.py").write_text(PROGRAM)
    said = edit_file.TOOL.function(tmp_path, "a.py", old, new)
    assert not isinstance(said, ToolError)
    assert "Forgiven: " in said
    assert forgiven in said
    after = (tmp_path / "a.py").read_text().split("\n")
    assert any(each == line or each.endswith(line) for each in after)
    before = PROGRAM.split("\n")
    [(_, [(first, last)])] = said.sources
    assert after[: first - 1] == before[: first - 1], "what stands before the place is as it was"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("if a:\n    go()\nif b:\n        go()\n", "\tgo()", "\tstop()"),  # two places, by indentation
        ("    one\n  two\n", "one\ntwo", "1\n2"),  # one line is indented by more than the other
        ("a = 1\nb = 2\n", "a = 1\n...\nb = 2", "a = 3"),  # something was left out in between
        ("x = 1\n", "x == 1", "x = 2"),
        ('names = [\n    "x",\n]\nother = "y"\n', '3: "y"', '3: "z"'),  # a piece of a line is no whole line
        ("one" + " " * 900 + "\ntwo\n", "one  \ntwo", "three"),  # much longer than what was quoted
        ("  a\n  b\n", "    a\n    b", "c"),  # what is put in cannot be moved along
    ],
)
def test_what_fits_twice_or_not_throughout_is_refused_with_the_lines_that_are_there(
    tmp_path: Path, text: str, old: str, new: str
):
    (tmp_path / "a.txt").write_text(text)
    said = edit_file.TOOL.function(tmp_path, "a.txt", old, new)
    assert isinstance(said, ToolError)
    assert "line" in said
    assert (tmp_path / "a.txt").read_text() == text


def test_digits_without_end_are_no_line_number(tmp_path: Path):
    (tmp_path / "a.py").write_text(PROGRAM)
    said = edit_file.TOOL.function(tmp_path, "a.py", f"{'9' * 5_000}: return total", "return 0")
    assert isinstance(said, ToolError)


def test_the_nearest_lines_are_shown_by_their_words_and_beginnings():
    assert (3, "        self.operators: dict[str, int] = {") in nearest(PROGRAM, "self.operators = {\n    '+': 3")
    shown = nearest(PROGRAM, "completely different")
    assert shown, "some lines are always shown"
    assert nearest("a\n\nb\n", "zzz")[0] in [(1, "a"), (3, "b")]
    assert nearest("\n\n", "zzz") == []


def test_texts_that_are_the_same_name_the_line_and_what_to_do(tmp_path: Path):
    (tmp_path / "a.py").write_text(PROGRAM)
    said = edit_file.TOOL.function(tmp_path, "a.py", '"+": 1,', '"+": 1,')
    assert isinstance(said, ToolError)
    assert "Line 4 has it already" in said
    assert "new_text" in said


def test_the_preview_is_what_will_be_written(tmp_path: Path):
    arguments = {"file_path": "a.py", "old_text": "return total", "new_text": "x = 1\r\n    return x"}
    (tmp_path / "a.py").write_bytes(b"def a():\r\n    return total \r\n")
    with Root(tmp_path) as root:
        _, new = edit_file.change(root, arguments)
        assert not isinstance(edit_file.edit_file(root, **arguments), ToolError)
        assert root.read_text("a.py") == new
        with pytest.raises(Refusal, match="closest lines"):
            edit_file.change(root, {**arguments, "old_text": "gone = 1"})


def test_a_python_file_that_compiled_is_not_broken(tmp_path: Path):
    (tmp_path / "a.py").write_text(PROGRAM)
    said = edit_file.TOOL.function(tmp_path, "a.py", "return total", "return (total")
    assert isinstance(said, ToolError)
    assert "Line 10 would be, '(' was never closed" in said
    assert "        return (total\n               ^" in said
    assert "line 10:         return total" in said
    written = write_file.TOOL.function(tmp_path, "a.py", PROGRAM + "return 1\n")
    assert isinstance(written, ToolError)
    assert "'return' outside function" in written
    assert (tmp_path / "a.py").read_text() == PROGRAM


def test_a_file_that_is_broken_already_may_be_changed(tmp_path: Path):
    (tmp_path / "a.py").write_text("def a(:\n    return 1\n")
    assert not isinstance(edit_file.TOOL.function(tmp_path, "a.py", "return 1", "return (2"), ToolError)
    assert not isinstance(write_file.TOOL.function(tmp_path, "new.py", "def b(:\n"), ToolError)


def test_a_file_that_would_lose_most_of_it_is_not_written_over_unless_it_is_emptied_first(tmp_path: Path):
    (tmp_path / "a.py").write_text(PROGRAM * 2)
    part = "    def result(self, left, right):\n        return left\n"
    said = write_file.TOOL.function(tmp_path, "a.py", part.replace("    def", "def").replace("        r", "    r"))
    assert isinstance(said, ToolError)
    assert "edit_file" in said
    assert (tmp_path / "a.py").read_text() == PROGRAM * 2
    rewritten = "\n".join(f"line_{number} = {number}" for number in range(20))
    assert not isinstance(write_file.TOOL.function(tmp_path, "a.py", rewritten), ToolError), "as long: written anew"
    for content in ("", "x = 1\n"):
        assert not isinstance(write_file.TOOL.function(tmp_path, "a.py", content), ToolError)


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("0,\n" * 20_000, "0,\n" * 2_000 + "7,\n"),
        ("0,\n" * 20_000, "0,\n" * 2_000 + " 0,\n"),  # alike but for one indentation, everywhere
        ("0, " * 400_000, "0, " * 6_000 + "7"),
        ("0,\r\n" * 100_000 + "\n", "0,\n" * 2_000 + "\r0,"),
    ],
    ids=["lines", "indentation", "letters", "newlines"],
)
def test_a_file_that_repeats_itself_does_not_take_the_product_of_file_and_quotation(text: str, old: str):
    """Minutes, in which neither Ctrl-C nor a limit of time was heeded."""
    began = time.thread_time()
    with pytest.raises(Refusal, match=r"was not found in \"a\.txt\"\. The closest lines"):
        edited("a.txt", text, old, "x")
    assert time.thread_time() - began < 20


def test_where_not_every_place_can_be_looked_at_none_is_taken_for_the_only_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(forgiving, "MOST_STEPS", 10)
    assert len(fits(" a\n b\n" + "-\n" * 9, "a\nb", "c")) == 1
    assert fits("  a\n  a\n" + " a\na\n" * 9, "a\na", "c") == []
    monkeypatch.setattr(forgiving, "MOST_LETTERS", 10)
    assert occurrences("a\r\nb\n", "a\nb\n") == [(0, 5)]
    assert occurrences("a\r\nb\n" + "a\r\r\nb\n" * 9, "a\nb\n") == []


def test_a_file_that_is_written_anew_as_the_refusal_says_keeps_its_newlines(tmp_path: Path):
    (tmp_path / "a.py").write_bytes(PROGRAM.replace("\n", "\r\n").encode())
    said = write_file.TOOL.function(tmp_path, "a.py", "x = 1\n")
    assert "call write_file with one empty line as content first" in said
    for content in ("\n", "x = 1\n"):
        assert not isinstance(write_file.TOOL.function(tmp_path, "a.py", content), ToolError)
    assert (tmp_path / "a.py").read_bytes() == b"x = 1\r\n"


LINE = st.text(alphabet="ab =:(),.\\n1\t", max_size=6)
TEXT = st.lists(LINE, min_size=1, max_size=8).map("\n".join)


@settings(max_examples=400, deadline=None)
@given(text=TEXT, old=TEXT.filter(bool), new=TEXT)
def test_whatever_is_forgiven_only_the_one_place_differs(text: str, old: str, new: str):
    try:
        edit = edited("a.txt", text, old, new)
    except Refusal:
        return
    exact = occurrences(text, old)
    if exact:
        assert not edit.forgiven, "what is there to the letter never takes the tolerant way"
        [(start, end)] = exact
    else:
        assert edit.forgiven
        [fit] = fits(text, old, new)
        start, end = fit.start, fit.end
    assert edit.text == text[:start] + edit.piece + text[end:]
    assert end - start <= 2 * len(old) + 200


@settings(max_examples=400, deadline=None)
@given(text=st.text(alphabet="ab\r\n", max_size=12), part=st.text(alphabet="ab\r\n", min_size=1, max_size=4))
def test_occurrences_are_those_of_a_regular_expression_that_looks_at_every_letter(text: str, part: str):
    any_newline = "\r?\n".join(map(re.escape, part.replace("\r\n", "\n").split("\n")))
    looks = ([match.span(1) for match in re.finditer(f"(?=({each}))", text)] for each in (re.escape(part), any_newline))
    assert occurrences(text, part) == next(filter(None, looks), [])


@settings(max_examples=200, deadline=None)
@given(
    lines=st.lists(st.sampled_from(["a = 1", "if b:", "    c()", "d", ""]), min_size=1, max_size=6),
    depth=st.integers(1, 8),
)
def test_one_indentation_off_throughout_is_moved_along(lines: list[str], depth: int):
    quoted = "\n".join(lines)
    assume(quoted.strip() and quoted == quoted.strip("\n"))
    indented = "\n".join(" " * depth + line if line else line for line in lines)
    text = f"first\n{indented}\nlast"
    assume(not occurrences(text, quoted))
    edit = edited("a.txt", text, quoted, "new\n    more")
    assert edit.text == f"first\n{' ' * depth}new\n{' ' * depth}    more\nlast"
