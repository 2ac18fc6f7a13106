"""The drawing of the agent that grows with each lesson: what is built stands there, what is to come is dots."""

from __future__ import annotations

from collections.abc import Collection

from lessons.course import Lesson
from lessons.pages import Span

# From the person at the top to the disk at the bottom, by the name of the part. A lesson that stands nowhere here is
# drawn in a last row of its own.
ROWS = (
    ("messages", "context", "compaction"),
    ("loop", "gate", "agent", "planning"),
    ("gemini", "stream", "retries", "output"),
    ("menu", "dispatch", "parallel", "explain"),
    ("listing", "confine", "runner", "skills"),
)
ENDS = ("a person with a task", "a model, over HTTP", "your disk")
NAMES = ("person", "model", "disk")  # of the ends, as the steps of a run name them
ABOVE_THE_MODEL = 3  # rows: they speak with the model, those below with the disk
WIDTH = 40  # columns


def draw(lessons: list[Lesson], today: Lesson, done: Collection[str]) -> list[list[Span]]:
    """The lines, at most WIDTH columns wide. `done`: the names of the parts that have passed."""
    lines: list[list[Span]] = [[(f"  {ENDS[0]}", "quiet")]]
    for number, row in enumerate(rows_of(lessons)):
        if number == ABOVE_THE_MODEL:
            lines.append([(f"  {ENDS[1]}", "quiet")])
        pieces = [piece for part in row for piece in box(part, today.part, done)]
        lines.append([("  | ", "quiet"), *pieces[:-1], (pieces[-1][0].rstrip(), pieces[-1][1])])
    return [*lines, [(f"  {ENDS[2]}", "quiet")]]


def rows_of(lessons: list[Lesson]) -> list[list[str]]:
    """The parts of these lessons, as they stand beneath each other."""
    there = {lesson.part for lesson in lessons}
    placed = {part for row in ROWS for part in row}
    beyond = [lesson.part for lesson in lessons if lesson.part not in placed]
    return [*filter(None, ([part for part in row if part in there] for row in ROWS)), *filter(None, filled(beyond))]


def boxes(lessons: list[Lesson], today: Lesson, done: Collection[str]) -> list[list[dict[str, str]]]:
    """The same as data for a page: rows of boxes, each with a `name`, a `text`, and what it `is`: "end" (a person, a
    model, the disk), "today", "done" or "coming"."""
    ends = [[{"name": name, "text": text, "is": "end"}] for name, text in zip(NAMES, ENDS, strict=True)]
    rows = [
        [{"name": part, "text": part, "is": "today" if part == today.part else "done" if part in done else "coming"}
         for part in row]
        for row in rows_of(lessons)
    ]  # fmt: skip
    return [ends[0], *rows[:ABOVE_THE_MODEL], ends[1], *rows[ABOVE_THE_MODEL:], ends[2]]


def filled(parts: list[str]) -> list[list[str]]:
    """What comes after, in rows that are as long as they may be."""
    rows: list[list[str]] = [[]]
    for part in parts:
        if len("  | ") + sum(len(each) + 2 for each in (*rows[-1], part)) > WIDTH:
            rows.append([])
        rows[-1].append(part)
    return rows


def box(part: str, today: str, done: Collection[str]) -> list[Span]:
    if part == today:
        return [("[", ""), (part, "lit"), ("]", "")]
    if part in done:
        return [(f" {part} ", "ok")]
    return [(f" {'.' * len(part)} ", "quiet")]


def bar(done: int, count: int, marks: tuple[str, str]) -> str:
    """A mark for each lesson."""
    return marks[0] * done + marks[1] * (count - done)
