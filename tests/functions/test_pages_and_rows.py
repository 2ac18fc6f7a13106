"""What the tools share, at the edge of each limit: pages of a file, ranges of lines, rows, what must compile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions import Result, ToolError, lines_of, must_compile, pages, tool
from functions.pages import row
from sandbox.files.root import Refusal

ROOM = 20


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_CHARACTERS", ROOM)


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", [""]), ("a", ["a"]), ("a\n", ["a\n"]), ("a\nb", ["a\n", "b"]), ("\n", ["\n"]), ("\n\n", ["\n", "\n"]),
     ("a\x0cb\u2028c\r\n", ["a\x0cb\u2028c\r\n"])],
)  # fmt: skip
def test_lines_end_at_line_feeds_alone(text: str, lines: list[str]):
    assert pages.split_lines(text) == lines


@given(st.lists(st.integers(0, ROOM + 3), min_size=1, max_size=12), st.data())
def test_a_page_holds_as_many_whole_lines_as_fit_and_says_where_to_read_on(sizes: list[int], data: st.DataObject):
    pages.MAX_CHARACTERS = ROOM
    lines = ["x" * size + "\n" for size in sizes]
    start = data.draw(st.integers(1, len(lines)))
    shown, last = pages.page("a.txt", lines, start)
    fitting = [end for end in range(start, len(lines) + 1) if sum(map(len, lines[start - 1 : end])) <= ROOM]
    whole = "".join(lines[start - 1 : max(fitting, default=start - 1)])
    note = f'[...File "a.txt" truncated at {ROOM} characters]\n'
    if fitting and fitting[-1] == len(lines):
        assert (shown, last) == (whole, len(lines))
    elif fitting:
        assert last == fitting[-1]
        assert (
            shown == f"{whole}{note}[Lines {start}-{last} of {len(lines)} shown. Read on with start_line={last + 1}.]"
        )
    else:
        assert last == start
        long = lines[start - 1]
        more = f"Read on with start_line={start + 1}" if start < len(lines) else "No line comes after it"
        cut = f"[Line {start} of {len(lines)} is cut: it has {len(long)} characters. {more}.]"
        assert shown == f"{long[:ROOM]}\n{note}{cut}"


@pytest.mark.parametrize(
    ("start", "kept", "first", "last"),
    [(None, "a\nb\nc\n", 1, 3), (1, "a\n", 1, 1), (7, "a\nb\nc\n", 7, 9), (5, 'a\nb\n[...File "x" truncated\n', 5, 6)],
)
def test_a_result_that_was_shortened_says_where_to_read_on(start: int | None, kept: str, first: int, last: int):
    arguments = {"file_path": "a.txt"} | ({"start_line": start} if start else {})
    assert pages.read_on(arguments, kept) == (
        f'[...File "a.txt" truncated at {len(kept)} characters]\n'
        f"[Lines {first}-{last} shown. Read on with start_line={last + 1}.]"
    )


@pytest.mark.parametrize(
    ("text", "first", "lines"),
    [("", 1, []), ("a", 1, [(1, 1)]), ("a\n", 1, [(1, 1)]), ("a\nb", 1, [(1, 2)]), ("a\n\n", 4, [(4, 5)]), ("\n", 2, [(2, 2)])],
)  # fmt: skip
def test_a_text_fills_lines_and_a_line_feed_at_its_end_begins_none(text: str, first: int, lines: tool.Lines):
    assert lines_of(text, first) == lines
    assert first != 1 or lines_of(text) == lines


def test_what_a_tool_returns_is_text_with_what_it_rests_on():
    result = Result("text", [("a", [(1, 2)])])
    assert (result, result.sources, result.verdict) == ("text", [("a", [(1, 2)])], None)
    assert Result("text").sources == ()
    assert ToolError("so it is") == "Error: so it is"


GOOD, BAD = "a = 1\nb = 2\nc = 3\nd = 4\n", "a = 1\nb = = 2\nc = 3\nd = 4\n"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [("a.py", GOOD, GOOD), ("a.py", BAD, BAD), ("a.txt", GOOD, BAD), ("a.py", " \n", BAD), ("a.py", "", BAD),
     ("a.py", GOOD, "(" * 300_000 + " = " + "x" * 200_000)],
)  # fmt: skip
def test_what_does_not_break_a_program_that_compiled_is_let_through(path: str, before: str, after: str):
    must_compile(path, before, after)


def test_a_text_too_long_to_be_compiled_is_let_through_and_one_at_the_limit_is_not(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tool, "LARGEST_COMPILED", len(BAD))
    with pytest.raises(Refusal):
        must_compile("a.py", GOOD, BAD)
    must_compile("a.py", GOOD, BAD + "\n")


@pytest.mark.parametrize(
    ("line", "around"), [(0, ""), (1, (1, 2, 3)), (2, (1, 2, 3, 4)), (4, (3, 4, 5)), (5, (4, 5)), (9, (8,))]
)
def test_a_change_that_would_break_a_program_says_where_and_what_the_file_has_there(line: int, around: tuple[int, ...]):
    with pytest.raises(Refusal) as told:
        must_compile("a.py", GOOD, BAD, line)
    said = str(told.value).split("\n")
    assert said[0] == 'Not written: "a.py" compiles, and would not any more. Line 2 would be, invalid syntax:'
    assert said[1:3] == ["b = = 2", "    ^"]
    have = dict(enumerate(GOOD.split("\n"), 1))
    wanted = [f"line {number}: {have[number]}" for number in around if number in have]
    assert said[3:] == (["The file still has there:", *wanted] if line else [])


@pytest.mark.parametrize(
    ("fields", "line"),
    [(("a", "b"), "a | b"), (("a | b", "c"), "a \\| b | c"), (("a\nb",), "a b"), (("a|b",), "a|b"), (("| a |",), "\\| a \\|"),
     (("a||b", "|"), "a||b | \\|")],
)  # fmt: skip
def test_a_bar_within_a_field_does_not_end_it(fields: tuple[str, ...], line: str):
    assert row(*fields) == line
