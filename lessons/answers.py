"""Answers that look right and are wrong, written down as edits of the solution: `lessons/*/wrong.diff`.

`=== name: reason` begins an answer; the reason must turn up in what the check says. Below stand its edits, apart by
`@@`: what is replaced, as in any diff, and it stands in the solution once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lessons.course import CourseError, Lesson

TWICE = 'lessons/{key}/wrong.diff: what "{name}" replaces must stand in the solution once: {old}'


@dataclass(frozen=True)
class Answer:
    """A whole file that is wrong, and why."""

    name: str
    reason: str
    text: str


def wrong_answers(lesson: Lesson) -> list[Answer]:
    """The lesson's wrong answers, in their order. Raises CourseError where an edit does not fit the solution."""
    answers = []
    for part in re.split(r"^=== ", lesson.text("wrong.diff"), flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        name, _, reason = head.partition(": ")
        answers.append(Answer(name, reason, edited(lesson, name, body.strip("\n").split("\n@@\n"))))
    return answers


def edited(lesson: Lesson, name: str, hunks: list[str]) -> str:
    solution = lesson.text("solution.py")
    edits = []
    for hunk in hunks:
        lines = hunk.split("\n")
        old, new = ("".join(f"{line[1:]}\n" for line in lines if line[:1] != other) for other in "+-")
        if solution.count(old) != 1:
            raise CourseError(TWICE.format(key=lesson.key, name=name, old=old))
        edits.append((solution.index(old), old, new))
    for place, old, new in sorted(edits, reverse=True):
        solution = solution[:place] + new + solution[place + len(old) :]
    return solution
