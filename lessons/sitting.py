"""One sitting of a learner, without any drawing: where they are, what was found, what there is to see.

The walk draws it in a terminal; a page could draw the same. Nothing here prints.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lessons import words
from lessons.checker import Verdict, run_check
from lessons.course import CourseError, Lesson
from lessons.learner import Learner
from lessons.parts import Parts, culprit, parts_for
from lessons.predictions import LETTERS, Question, question_of, really
from lessons.progress import reason_of

LAST_OF_THE_AGENT = "agent"  # the part with which the first course ends


@dataclass(frozen=True)
class Outcome:
    """What a check found, and what it means for the learner. `again`: it was done before."""

    verdict: Verdict
    parts: Parts
    again: bool


@dataclass(frozen=True)
class Prediction:
    """What the learner said, and what really happens."""

    said: str
    question: Question
    output: str

    @property
    def right(self) -> bool:
        return self.said == self.question.letter


@dataclass
class Sitting:
    """The state. Every method that changes something of the learner's saves the progress, or raises CourseError."""

    learner: Learner
    lesson: Lesson = field(init=False)
    recording: dict[str, Any] | None = None  # the last run of the learner's code that passed
    page: Path | None = None  # where that run was written as a page

    def __post_init__(self) -> None:
        self.lessons, self.progress = self.learner.lessons, self.learner.progress
        wanted = [lesson for lesson in self.lessons if lesson.key == self.progress.current]
        unfinished = [lesson for lesson in self.lessons if not self.progress.passed(lesson)]
        self.lesson = (wanted or unfinished or self.lessons)[0]

    @property
    def done(self) -> list[Lesson]:
        return [lesson for lesson in self.lessons if self.progress.passed(lesson)]

    @property
    def following(self) -> Lesson | None:
        index = self.lessons.index(self.lesson) + 1
        return self.lessons[index] if index < len(self.lessons) else None

    @property
    def is_the_agent(self) -> bool:
        """Whether this is the lesson in which the parts become an agent."""
        return self.lesson.part == LAST_OF_THE_AGENT

    def open(self, lesson: Lesson) -> str:
        """Go to a lesson; the learner gets its file unless they have it. Returns what to say of what was put aside."""
        self.lesson, self.recording, self.page = lesson, None, None
        self.progress.current = lesson.key
        kept = self.learner.begin(lesson)
        self.progress.happened(lesson)
        self.progress.save()
        return words.GIVEN_KEPT.format(kept=kept) if kept else ""

    def unchecked(self) -> bool:
        """Whether the learner's file is theirs and has not been checked as it is now: it was saved meanwhile."""
        if self.learner.untouched(self.lesson) or not self.learner.file(self.lesson).exists():
            return False
        return self.learner.fingerprint(self.lesson) != self.progress.of(self.lesson)["checked"]

    def check(self) -> Outcome:
        """Check the learner's file, with their own parts as far as those hold."""
        lesson, record = self.lesson, self.progress.of(self.lesson)
        again, now = self.progress.passed(lesson), self.learner.fingerprint(lesson)
        parts = parts_for(self.learner, lesson)
        verdict = run_check(lesson, self.learner.file(lesson), parts.files)
        self.progress.checked(lesson, verdict.found, now)
        record["checked"] = now
        if verdict.passed:
            self.recording = verdict.recording
        elif blamed := culprit(lesson, self.learner.file(lesson), parts.files, verdict, self.lessons):
            parts.broken.append(blamed)
        return Outcome(verdict, parts, again)

    def rebuild(self) -> str:
        """After a damaged progress file: check what the learner has, and keep what passes. Returns what to say."""
        for lesson in self.lessons:
            if self.learner.file(lesson).exists() and not self.learner.untouched(lesson):
                with suppress(CourseError):  # one that cannot be checked here; the others can
                    files = parts_for(self.learner, lesson).files
                    if run_check(lesson, self.learner.file(lesson), files).passed:
                        self.progress.mark_passed(lesson, self.learner.fingerprint(lesson))
        self.progress.save()
        numbers = ", ".join(str(lesson.number) for lesson in self.done)
        return words.REBUILT.format(numbers=numbers) if numbers else words.REBUILT_NONE

    def hint(self) -> tuple[int, str]:
        """The next hint, the last one again and again: its number and its text."""
        record, hints = self.progress.of(self.lesson), self.lesson.hints
        number = min(record["hints"] + 1, len(hints))
        record["hints"] = number
        self.progress.happened(self.lesson)
        self.progress.save()
        return number, hints[number - 1]

    def solution(self) -> str:
        return self.learner.solution(self.lesson)

    def question(self) -> Question | None:
        return question_of(self.lesson)

    def unanswered(self) -> Question | None:
        """The question before the lesson, as long as it was not answered and the lesson is open."""
        record = self.progress.of(self.lesson)
        return None if record["predicted"] or record["passed"] else self.question()

    def predict(self, letter: str) -> Prediction:
        """Answer the question, and see what happens. Raises CourseError for no question, and for another letter."""
        question = self.question()
        if question is None:
            raise CourseError(words.NO_QUESTION)
        if letter not in LETTERS:
            raise CourseError(words.NOT_A_LETTER)
        self.progress.of(self.lesson)["predicted"] = letter
        self.progress.happened(self.lesson)
        self.progress.save()
        return Prediction(letter, question, really(question))

    def player(self) -> Path:
        """Write the last run as a page. Raises CourseError when there is none, or no room for it."""
        if self.recording is None:
            raise CourseError(words.NO_PLAYER)
        from lessons.player import write_player

        try:
            self.page = write_player(self.learner.folder / "runs" / self.lesson.part, self.recording)
        except OSError as error:
            raise CourseError(words.NO_PAGE.format(reason=reason_of(error))) from None
        return self.page

    def keep(self) -> Path:
        """Copy the page of the last run to where no later run overwrites it."""
        page = self.page or self.player()
        folder, number = self.learner.folder / "kept", 1
        while (target := folder / f"{self.lesson.part}-{number}.html").exists():
            number += 1
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return Path(shutil.copy(page, target))
        except OSError as error:
            raise CourseError(words.NO_PAGE.format(reason=reason_of(error))) from None
