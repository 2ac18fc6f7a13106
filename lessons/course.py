"""The course as it lies on the disk: one folder a lesson. Adding a folder adds a lesson; nothing else is registered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from config import PLACE
from lessons import words
from lessons.varied import Varied, varied

LESSONS = Path(__file__).resolve().parent
PROJECT = LESSONS.parent
MY_AGENT = PLACE / "my_agent"
FOLDER = re.compile(r"(\d+)_([a-z][a-z0-9_]*)")


class CourseError(Exception):
    """Something that the learner asked for cannot be done. The text says what, and the next step."""


@dataclass(frozen=True)
class Lesson:
    """One lesson. `03_confine` is number 3; the learner's copy of its start.py is `my_agent/confine.py`."""

    folder: Path
    home: str = MY_AGENT.name  # the learner's folder, as it is named to them
    learner: str = ""  # by whose name the lesson's number is drawn (varied.py); "" is the one that it has by itself

    @property
    def key(self) -> str:
        return self.folder.name

    @property
    def number(self) -> int:
        return int(self.key.split("_")[0])

    @property
    def part(self) -> str:
        """The name of the learner's module."""
        return self.key.split("_", 1)[1]

    @property
    def file(self) -> str:
        """The learner's file as it is named to them."""
        return f"{self.home}/{self.part}.py"

    @cached_property
    def readme(self) -> str:
        return self.text("README.md")

    @property
    def title(self) -> str:
        """The README's heading without its number."""
        heading = self.readme.partition("\n")[0]
        return re.sub(r"^#\s*(\d+\.\s*)?", "", heading).strip()

    @property
    def hints(self) -> list[str]:
        """The texts under the headings of hints.md."""
        return [part.partition("\n")[2].strip() for part in re.split(r"^## ", self.text("hints.md"), flags=re.M)[1:]]

    @cached_property
    def varied(self) -> Varied | None:
        return varied(self.folder, self.learner)

    def text(self, name: str) -> str:
        """The text of one of the lesson's files, with the learner's number where one varies. Raises CourseError when it
        is not there or is not text."""
        try:
            text = (self.folder / name).read_text(encoding="utf-8")
            return self.varied.within(text) if self.varied else text
        except (OSError, UnicodeDecodeError) as error:
            place = f"lessons/{self.key}/{name}"
            raise CourseError(words.BROKEN_TEXT.format(place=place, reason=error.__class__.__name__)) from None


def all_lessons(folder: Path = LESSONS, home: str = MY_AGENT.name, learner: str = "") -> list[Lesson]:
    """Every lesson, in order. `home`: the name of the folder in which the learner's files lie; `learner`: theirs."""
    found = [Lesson(path, home, learner) for path in folder.iterdir() if FOLDER.fullmatch(path.name) and path.is_dir()]
    return sorted(found, key=lambda lesson: lesson.number)


def find(lessons: list[Lesson], wanted: str) -> Lesson:
    """The lesson with that number or name. Raises CourseError when there is none."""
    for lesson in lessons:
        if wanted.strip().lstrip("0") == str(lesson.number) or wanted in (lesson.key, lesson.part):
            return lesson
    raise CourseError(words.NO_LESSON.format(wanted=wanted, last=lessons[-1].number))
