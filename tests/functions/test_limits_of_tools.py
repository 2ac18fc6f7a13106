"""Each tool at the edge of its limits: what is still shown, named, searched or kept, and what no longer is."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from functions import Result, ToolError, misfit
from functions.apply_repair import TOOL as APPLY
from functions.apply_repair import apply_repair
from functions.edit_file import edit_file, occurrences
from functions.get_file_content import get_file_content
from functions.refused import named, refused
from functions.run_tests import pytest_arguments, shorten, unittest_arguments
from functions.search_files import search_files
from functions.suggest_repair import in_words, quoted, suspects
from functions.suggestions import Suggestions, texts_in
from functions.write_file import write_file
from offline.repair import repair as search_for_repair
from offline.repair.repair import Repair
from sandbox.files.root import Refusal, Root

# Reading


def test_a_file_of_exactly_a_page_comes_whole_and_one_character_more_in_two(tmp_path: Path):
    (tmp_path / "a.txt").write_text("x" * 10_000)
    assert get_file_content(tmp_path, "a.txt") == "x" * 10_000
    (tmp_path / "a.txt").write_text("x\n" * 5_000 + "y")
    first = get_file_content(tmp_path, "a.txt")
    assert isinstance(first, Result)
    assert first.startswith("x\n" * 5_000 + "[...File")
    assert first.sources == [("a.txt", [(1, 5_000)])]
    second = get_file_content(tmp_path, "a.txt", 5_001)
    assert isinstance(second, Result)
    assert (str(second), second.sources) == ("y", [("a.txt", [(5_001, 5_001)])])


@pytest.mark.parametrize(("start", "said"), [(0, "counted from 1"), (-1, "counted from 1"), (4, "no line 4")])
def test_a_line_that_no_file_has_is_said(tmp_path: Path, start: int, said: str):
    (tmp_path / "a.txt").write_text("1\n2\n3\n")
    assert get_file_content(tmp_path, "a.txt", 3) == "3\n"
    assert said in get_file_content(tmp_path, "a.txt", start)


# Searching


def test_a_long_line_is_shown_to_its_two_hundredth_character(tmp_path: Path):
    (tmp_path / "a.txt").write_text("x" * 200 + "\r\n" + "x" * 201 + "\n")
    found = search_files(tmp_path, "xx")
    assert isinstance(found, Result)
    assert found.split("\n") == [f"a.txt:1: {'x' * 200}", f"a.txt:2: {'x' * 200}[...]"]
    assert found.sources == [("a.txt", [(1, 1)]), ("a.txt", [(2, 2)])]


def test_a_query_of_a_thousand_characters_is_looked_for(tmp_path: Path):
    (tmp_path / "a.txt").write_text("y" * 1_000)
    assert search_files(tmp_path, "y" * 1_000).startswith("a.txt:1: ")
    assert "No match" in search_files(tmp_path, "x", glob="?" * 1_000)
    assert "1,000" in search_files(tmp_path, "x", glob="?" * 1_001)
    assert "1,000" in search_files(tmp_path, "x" * 1_001)


def test_files_up_to_four_mebibytes_are_looked_at(tmp_path: Path):
    (tmp_path / "most.txt").write_bytes(b"hit" + b"\n" * (4 * 2**20 - 3))
    (tmp_path / "more.txt").write_bytes(b"hit" + b"\n" * (4 * 2**20 - 2))
    assert search_files(tmp_path, "hit") == "most.txt:1: hit"
    (tmp_path / "late.txt").write_bytes(b"hit" + b" " * 8_189 + b"\0")
    (tmp_path / "soon.txt").write_bytes(b"hit" + b" " * 8_188 + b"\0")
    assert [line.partition(":")[0] for line in search_files(tmp_path, "hit").split("\n")] == ["late.txt", "most.txt"]


def test_ninety_nine_matches_are_all_there_are_and_a_hundred_may_be_more(tmp_path: Path):
    (tmp_path / "a.txt").write_text("hit\n" * 99)
    assert len(search_files(tmp_path, "hit").split("\n")) == 99
    (tmp_path / "a.txt").write_text("hit\n" * 100)
    lines = search_files(tmp_path, "hit").split("\n")
    assert len(lines) == 101
    assert lines[-1].startswith("[Stopped at 100 matches")


def test_a_search_that_takes_too_long_says_so_and_keeps_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("functions.search_files.SEARCH_SECONDS", -1.0)
    (tmp_path / "a.txt").write_text("hit\n")
    (tmp_path / "b.txt").write_text("hit\n")
    assert search_files(tmp_path, "hit").startswith("a.txt:1: hit\n[Stopped after")
    assert search_files(tmp_path, "miss").startswith("No match so far. Stopped after")


def test_a_path_of_a_glob_is_read_from_where_the_search_begins_whatever_way_that_is_written(tmp_path: Path):
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c" / "d.py").write_text("hit")
    for directory in ("a/b", "./a/b", "a/b/", "a//b"):
        assert search_files(tmp_path, "hit", directory, glob="c/*.py") == "a/b/c/d.py:1: hit"
    assert "No match" in search_files(tmp_path, "hit", "a/b", glob="b/c/*.py")
    assert search_files(tmp_path, "hit", "a/b", glob="a/b/c/*.py") == "a/b/c/d.py:1: hit"


# Editing and writing


def test_a_text_that_occurs_often_is_named_by_its_first_twenty_lines(tmp_path: Path):
    (tmp_path / "a.txt").write_text("same\n" * 25)
    said = edit_file(tmp_path, "a.txt", "same", "other")
    assert f"(lines {', '.join(map(str, range(1, 21)))}); add" in said
    (tmp_path / "a.txt").write_text("aaa\n")
    assert "(lines 1, 1)" in edit_file(tmp_path, "a.txt", "aa", "b"), "overlapping ones are different edits"
    assert occurrences("x\r\ny", "x\ny") == [(0, 4)]
    assert occurrences("x\ny", "x\r\ny") == [(0, 3)]
    assert occurrences("x", "y") == []


def test_an_edit_says_its_line_and_rests_on_the_lines_that_it_wrote(tmp_path: Path):
    (tmp_path / "a.txt").write_text("1\n2\n3\n")
    edited = edit_file(tmp_path, "a.txt", "2\n", "a\nb\nc\n")
    assert isinstance(edited, Result)
    assert edited.startswith('Successfully edited "a.txt" at line 2')
    assert edited.sources == [("a.txt", [(2, 4)])]
    gone = edit_file(tmp_path, "a.txt", "a\nb\n", "")
    assert isinstance(gone, Result)
    assert (gone.sources, (tmp_path / "a.txt").read_text()) == ([("a.txt", [(2, 2)])], "1\nc\n3\n")
    for old, line in (("3", 3), ("1", 1)):
        assert f"Line {line} has it already" in edit_file(tmp_path, "a.txt", old, old)
    assert "has it already" not in edit_file(tmp_path, "a.txt", "7", "7")


def test_the_nearest_lines_are_shown_to_their_two_hundredth_character(tmp_path: Path):
    (tmp_path / "a.txt").write_text("value = " + "x" * 300 + "\n")
    said = edit_file(tmp_path, "a.txt", "value = " + "x" * 290 + "?", "new")
    assert said.split("\n")[1] == "line 1: value = " + "x" * 192


@pytest.mark.parametrize(
    ("lines", "kept", "new", "refused_"),
    [(12, 5, 0, True), (12, 6, 0, False), (11, 1, 0, True), (5, 1, 0, False), (6, 2, 0, True), (13, 6, 0, True), (12, 0, 6, False), (12, 0, 5, True),
     (12, 3, 2, True), (12, 3, 3, False)],
)  # fmt: skip
def test_a_whole_new_text_that_would_lose_more_than_half_of_a_file_is_refused(
    tmp_path: Path, lines: int, kept: int, new: int, refused_: bool
):
    old = [f"line {number}" for number in range(lines)]
    (tmp_path / "a.txt").write_text("\n".join(old) + "\n\n")
    text = "\n".join(old[:kept] + [f"other {number}" for number in range(new)]) + "\n"
    said = write_file(tmp_path, "a.txt", text)
    assert isinstance(said, ToolError) is refused_
    if refused_:
        assert f"has {lines} lines, of which {kept} would be left" in said
    else:
        assert said == f'Successfully wrote to "a.txt" ({len(text)} characters written)'
    assert not isinstance(write_file(tmp_path, "a.txt", ""), ToolError), "empty is meant"


# What is told of a guess


def test_twenty_names_are_named_and_the_rest_counted():
    names = [str(number) for number in range(20)]
    assert named(names) == ", ".join(names)
    assert named([*names, "x"]) == ", ".join(names) + " and 1 more"


@pytest.mark.parametrize(
    ("path", "kinds", "said"),
    [
        ("sub", ("file",), "It is a directory, with sub/deep/b.py, sub/x.py"),
        ("sub/", ("file",), "It is a directory, with sub/deep/b.py, sub/x.py"),
        ("b.py", ("file",), "Did you mean sub/deep/b.py?"),
        ("sub/y.py", ("file",), "Did you mean sub/x.py or sub/deep/b.py?"),
        ("sup", ("directory",), "Did you mean sub?"),
        ("none at all", ("file",), "The files here: one.txt, sub/deep/b.py, sub/x.py"),
        ("none at all", ("directory",), "The directories here: sub, sub/deep"),
        ("none at all", ("file", "directory"), "The files here: one.txt, sub/deep/b.py, sub/x.py, sub, sub/deep"),
    ],
)
def test_a_path_that_is_not_there_is_answered_with_those_that_are(
    tmp_path: Path, path: str, kinds: tuple[str, ...], said: str
):
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    for name in ("one.txt", "sub/x.py", "sub/deep/b.py"):
        (tmp_path / name).write_text("x")
    refusal = Refusal("It is not there", "missing")
    assert refused(refusal, tmp_path, path, *kinds) == f"Error: It is not there. {said}".removesuffix(".")
    assert refused(Refusal("No", "outside"), tmp_path, path, *kinds) == "Error: No"


def test_at_most_three_paths_are_meant_and_an_empty_folder_has_none(tmp_path: Path):
    missing = Refusal("Not there", "missing")
    assert refused(missing, tmp_path, "a.py", "file") == "Error: Not there. There are no files here"
    for number in range(5):
        (tmp_path / f"folder{number}").mkdir()
        (tmp_path / f"folder{number}" / "a.py").write_text("")
    assert refused(missing, tmp_path, "a.py", "file") == (
        "Error: Not there. Did you mean folder0/a.py or folder1/a.py or folder2/a.py?"
    )
    assert refused(missing, tmp_path / "none", "a.py", "file") == "Error: Not there"


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "null"), (True, "true"), (False, "false"), ("x", "text"), (1, "a number"), (1.5, "a number"),
     ([], "a list"), ({}, "an object"), (b"", "bytes")],
)  # fmt: skip
def test_a_value_is_told_in_words(value: Any, words: str):
    assert misfit.describe(value) == words


def test_a_long_value_is_shown_in_eighty_characters():
    assert misfit.shown("x" * 78) == repr("x" * 78)
    assert misfit.shown("x" * 79) == "'" + "x" * 76 + "..."


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer"}, "a whole number"),
        ({"type": "integer", "minimum": 0}, "a whole number from 0"),
        ({"type": "number", "minimum": 0, "maximum": 0}, "a number from 0 to 0"),
        ({"type": "string", "enum": ["a", 1]}, "one of a, 1"),
        ({"type": "array", "items": {"type": "string"}}, "a list of strings"),
        ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, "a list"),
        ({"type": "array", "items": {"type": "integer"}}, "a list"),
        ({"type": "array"}, "a list"),
        ({"type": "object"}, "an object"),
        ({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "string"}}, "required": ["a"]},
         '{"a": true or false, "b": a string (optional)}'),
    ],
)  # fmt: skip
def test_what_a_parameter_may_be_is_told_in_words(schema: dict[str, Any], words: str):
    assert misfit.describe_type(schema) == words


def test_the_nearest_choice_is_suggested_where_one_is_near():
    assert misfit.suggestion("Read.File", ["write", "read_file"]) == " (did you mean 'read_file'?)"
    assert misfit.suggestion("zzz", ["write", "read_file"]) == ""
    assert misfit.suggestion("x" * 5_000, ["x" * 80]) != ""


# Running the tests


def test_a_long_report_is_cut_at_a_page_and_says_how_much_is_missing():
    assert shorten("x" * 10_000) == "x" * 10_000
    assert shorten("x" * 10_007) == "x" * 10_000 + "\n[...7 more characters. Run one test file alone to see less.]"


@pytest.mark.parametrize(
    ("files", "package", "arguments"),
    [
        (["tests.py"], False, ["-m", "unittest", "tests"]),
        (["tests/test_a.py"], True, ["-m", "unittest", "tests.test_a"]),
        (["tests/test_a.py"], False, ["-m", "unittest", "discover", "-s", "tests", "-t", "tests", "-p", "test_a.py"]),
        (["tests/test_a.py", "tests/b_test.py"], False,
         ["-m", "unittest", "discover", "-s", "tests", "-t", "tests", "-p", "*test*.py"]),
        (["one/test_a.py", "two/test_b.py"], False, ["-m", "unittest", "one.test_a", "two.test_b"]),
    ],
)  # fmt: skip
def test_test_files_become_modules_where_that_can_work(
    tmp_path: Path, files: list[str], package: bool, arguments: list[str]
):
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
        if package:
            (tmp_path / name).with_name("__init__.py").write_text("")
    with Root(tmp_path) as root:
        assert unittest_arguments(root, files) == arguments
    assert pytest_arguments(["-x"])[-2:] == ["--", "-x"], "a path is no option"


# The search for a repair


def a_change(number: int = 1, **fields: Any) -> Repair:
    given = {"path": "a.py", "line": number, "old_line": "  old", "new_line": "new  ", "operator": "op"}
    return Repair(**{**given, "edits": (("old", "new"),), "shown_by": (), **fields})


def test_changes_are_told_in_a_line_and_long_lines_to_their_hundred_and_sixtieth_character():
    assert in_words(a_change(3)) == "a.py:3: `  old` becomes `new  ` (op)"
    both = in_words(a_change(3, also=(a_change(5, path="b.py"),)))
    assert both.startswith("a.py:3: ")
    assert "; and b.py:5: " in both
    assert quoted(" \n") == "nothing"
    assert quoted("x" * 160) == f"`{'x' * 160}`"
    assert quoted("x" * 161) == f"`{'x' * 160}`"
    assert quoted("\na\nb\n") == "\n```\na\nb\n```\n"


def test_at_most_five_suspicious_lines_are_named_each_with_its_reason(tmp_path: Path):
    with Root(tmp_path) as root:
        held = Suggestions(root)
        held.files = {"a.py": "\n".join(["  " + "x" * 170, *(f"line {number}" for number in range(2, 9))])}
        places = [("a.py", number) for number in (1, 2, 0, 8, 9, 3)]
        finding: Any = SimpleNamespace(suspicious=places, why=["so it is"])
        assert suspects(finding, held) == [
            f"suspect: a.py:1: {'x' * 160} (so it is)",
            "suspect: a.py:2: line 2",
            "suspect: a.py:8: line 8",
        ]


def test_texts_are_searched_up_to_two_million_characters_and_files_up_to_two_hundred_thousand_bytes(tmp_path: Path):
    (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbfa\r\n")
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe")
    (tmp_path / "large.py").write_bytes(b"x" * 200_001)
    with Root(tmp_path) as root:
        assert texts_in(root) == {"bom.py": "a\n"}
        (tmp_path / "large.py").unlink()
        (tmp_path / "bom.py").unlink()
        for number in range(10):
            (tmp_path / f"{number}.py").write_bytes(b"x" * 200_000)
        assert len(texts_in(root)) == 10
        (tmp_path / "one.py").write_bytes(b"x")
        with pytest.raises(Refusal, match="2,000,000 characters"):
            texts_in(root)


@pytest.fixture
def found_two(tmp_path: Path) -> Suggestions:
    (tmp_path / "a.py").write_text("old old\n")
    held = Suggestions(Root(tmp_path))
    held.files, held.found = {"a.py": "old old\n"}, [a_change(1), a_change(2, edits=[("old old", "two")])]
    return held


@pytest.mark.parametrize(("number", "text"), [(1, "new old\n"), (2, "two\n")])
def test_a_change_is_made_by_its_number_in_the_first_place_that_it_names(
    found_two: Suggestions, number: int, text: str
):
    assert APPLY.change is not None
    assert APPLY.change(found_two, {"number": number}) == ("old old\n", text)
    assert apply_repair(found_two, number).startswith(f"Changed a.py:{number}: ")
    assert found_two.root.read_text("a.py") == text
    assert "has changed since the search" in apply_repair(found_two, 1)


@pytest.mark.parametrize("number", [0, 3])
def test_a_number_that_no_change_has_changes_nothing(found_two: Suggestions, number: int):
    assert APPLY.change is not None
    assert APPLY.change(found_two, {"number": number}) == ("", "")
    if number:
        assert apply_repair(found_two, 3) == "Error: there is no change 3; the numbers go from 1 to 2"
    assert found_two.root.read_text("a.py") == "old old\n"


def test_a_search_keeps_the_change_and_its_runner_up_and_forgets_the_last_ones(
    found_two: Suggestions, monkeypatch: pytest.MonkeyPatch
):
    only = a_change(7)
    finding: Any = SimpleNamespace(repair=only, runner_up=None)
    asked: list[float] = []
    monkeypatch.setattr(
        search_for_repair, "repair", lambda files, *, seconds, cancelled, first: (asked.append(seconds), finding)[1]
    )
    found_two.search()
    assert found_two.found == [only]
    assert asked == [40.0]
