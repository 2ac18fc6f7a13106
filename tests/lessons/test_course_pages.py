"""What the course shows, as it is drawn: every page at every width, the pager, the drawing, the words, the questions."""

from __future__ import annotations

import io
import re

import pytest

from lessons import words
from lessons.course import Lesson, all_lessons
from lessons.diagram import draw
from lessons.glossary import entries, look_up
from lessons.pages import blocks, cut
from lessons.predictions import LETTERS, question_of, really
from lessons.screen import Screen

COURSE = all_lessons()
IDS = [lesson.key for lesson in COURSE]
WIDTHS = (40, 80, 120)


class Terminal(io.StringIO):
    """A stream that says it is a terminal, so that it is paged."""

    def isatty(self) -> bool:
        return True


def drawn(markdown: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = io.StringIO()
    Screen(stream, plain=True).markdown(markdown)
    return stream.getvalue().split("\n")


def pages_of(lesson: Lesson) -> list[str]:
    return [lesson.readme, lesson.text("hints.md"), *([lesson.text("predict.md")] if question_of(lesson) else [])]


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_a_page_is_shown_word_for_word_and_no_line_is_too_long(
    lesson: Lesson, columns: int, monkeypatch: pytest.MonkeyPatch
):
    for page in pages_of(lesson):
        lines = drawn(page, columns, monkeypatch)
        assert max(map(len, lines)) <= columns
        shown = " ".join(" ".join(lines).split()).replace("`", "")
        rest = 0
        for block in blocks(page):
            for word in block.text.split() if block.kind != "code" else re.findall(r"\b\w{1,12}\b", block.text):
                found = shown.find(word, rest)
                assert found >= 0, f"{word!r} is missing or broken after {shown[max(0, rest - 60) : rest]!r}"
                rest = found + len(word)


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_code_that_fits_stands_as_it_was_written(lesson: Lesson, monkeypatch: pytest.MonkeyPatch):
    lines = drawn(lesson.readme, 80, monkeypatch)
    for block in blocks(lesson.readme):
        if block.kind == "code":
            for line in block.text.split("\n"):
                assert len(line) <= 78, "wider than the narrowest terminal that people have"
                assert not line.strip() or f"{block.indent}  {line.rstrip()}" in lines


@pytest.mark.parametrize("columns", WIDTHS)
def test_numbered_lists_keep_their_numbers_and_stand_below_each_other(columns: int, monkeypatch: pytest.MonkeyPatch):
    for lesson in COURSE:
        page = lesson.readme.partition("\n")[2]
        wanted = re.findall(r"^(\d+\. )", re.sub(r"```.*?```", "", page, flags=re.S), re.M)
        shown = [line for line in drawn(page, columns, monkeypatch) if re.match(r"\d+\. ", line)]
        assert [re.match(r"\d+\. ", line)[0] for line in shown] == wanted, lesson.key


def test_links_and_code_that_looks_like_one_are_kept(monkeypatch: pytest.MonkeyPatch):
    assert "`TOOLS[name](ROOT, **arguments)`" in " ".join(drawn(COURSE[4].readme, 80, monkeypatch))
    text = " ".join(" ".join(drawn(COURSE[13].readme, 80, monkeypatch)).split())
    assert "the source in this order (docs/read-the-source.md)" in text
    assert "The same thing in the real agent: main.py." in text


@pytest.mark.parametrize("width", [10, 18, 38, 78])
def test_a_long_line_is_broken_at_spaces_and_loses_nothing(width: int):
    text = "  refused  escape.txt                  is a symbolic link, and is not even looked at: /a/very/long/path.py"
    lines = cut(text, width)
    assert all(len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    if width >= 18:
        assert all(word in " ".join(lines).split() for word in ("refused", "symbolic", "looked"))


def test_no_more_than_a_screen_is_shown_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    screen = Screen(stream)
    screen.page()
    screen.markdown(COURSE[0].readme)
    screen.ask_for_more()
    first = stream.getvalue()
    assert first.count("\n") == 23
    assert "Enter: go on reading" in first
    screen.ask_for_more()
    assert stream.getvalue() == first, "said once"
    while screen.held:
        screen.more()
        screen.ask_for_more()
    screen.page()
    for number in range(23):
        screen.line(f"line {number}")
    screen.ask_for_more()
    assert stream.getvalue().endswith("line 22\n"), "a single line is shown and not asked for"
    assert "appends its first two messages" in " ".join(stream.getvalue().split())


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_the_drawing_grows_with_the_course_and_fits_forty_columns(lesson: Lesson):
    before = {other.part for other in COURSE if other.number < lesson.number}
    lines = ["".join(text for text, _ in line) for line in draw(COURSE, lesson, before)]
    assert max(map(len, lines)) <= 40
    whole = "\n".join(lines)
    assert f"[{lesson.part}]" in whole
    for other in COURSE:
        assert (f" {other.part}" in whole) == (other.part in before), other.part


def test_words_are_found_by_their_beginning_their_parts_and_when_misspelt():
    known = entries()
    assert look_up("loop", known) == ["loop"]
    assert look_up("tool_calls", known) == ["tool call"]
    assert "tool" in look_up("tool", known)
    assert look_up("trajektory", known) == ["trajectory"]
    assert look_up("xyzzy", known) == []
    assert all(text and len(text.split()) < 40 for text in known.values())


@pytest.mark.parametrize(
    "lesson",
    [lesson if lesson.number in (1, 2, 12) else pytest.param(lesson, marks=pytest.mark.long) for lesson in COURSE],
    ids=IDS,
)
def test_what_really_happens_is_what_the_answer_says(lesson: Lesson):
    question = question_of(lesson)
    assert question, "each lesson begins with a question"
    output = " ".join(really(question).split())
    quoted = [re.findall(r"`([^`]+)`", " ".join(choice.split())) for choice in question.choices]
    right = LETTERS.index(question.letter)
    assert quoted[right], "the right choice quotes what is printed"
    assert all(piece in output for piece in quoted[right]), output
    for number, pieces in enumerate(quoted):
        assert number == right or not pieces or not all(piece in output for piece in pieces) or lesson.number == 4


def test_no_text_of_the_course_sends_anybody_to_a_file_that_they_do_not_have():
    for lesson in COURSE[:14]:
        for text in (lesson.text("hints.md"), lesson.readme):
            assert "README" not in text, lesson.key
            assert "start.py" not in text, lesson.key
    assert '"tool_calls"' in COURSE[5].readme
    assert not words.NEXT.format(number=12, title="Did my change help?").count("?.")
