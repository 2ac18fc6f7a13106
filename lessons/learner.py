"""The learner's own folder: their files, copied from each lesson's start.py, and their progress."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.progress import Damaged, Progress, fingerprint, read, reason_of, set_aside, write_whole
from lessons.varied import FILE


class Learner:
    """One learner: a folder. Nothing of theirs is ever overwritten."""

    def __init__(self, folder: Path, lessons: list[Lesson]) -> None:
        self.folder, self.lessons = folder, lessons
        self.notice = ""  # what happened to a damaged progress file
        path = folder / "progress.json"
        try:
            self.progress = Progress(path, read(path))
        except Damaged as damage:
            self.progress = Progress(path)
            try:
                kept = set_aside(path)
            except OSError as error:
                raise CourseError(words.NOT_RENAMED.format(path=path, damage=damage, reason=reason_of(error))) from None
            self.notice = words.DAMAGED.format(path=path.name, reason=damage, kept=kept.name)

    def file(self, lesson: Lesson) -> Path:
        return self.folder / f"{lesson.part}.py"

    def begin(self, lesson: Lesson) -> str:
        """Copy the lesson's start.py, and what is given with it, unless the learner has the file already. Returns where
        that is now which was in the place of what is given, or ""."""
        path, kept = self.file(lesson), list[str]()
        if path.exists():
            return ""
        text = lesson.text("start.py")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if lesson.learner and not (self.folder / FILE).exists():
                write_whole(self.folder / FILE, lesson.learner + "\n")
            for given in lesson.folder.glob("given_*.py"):
                place = self.folder / given.name.removeprefix("given_")
                if fingerprint(place) != fingerprint(given):
                    kept += [self.put_aside(place)] if os.path.lexists(place) else []
                    shutil.copy(given, place)
            write_whole(path, text)
        except OSError as error:
            raise CourseError(words.NOT_COPIED.format(file=lesson.file, reason=reason_of(error))) from None
        return ", ".join(kept)

    def put_aside(self, path: Path) -> str:
        """Move a file or a folder of the learner's to a name that is free. Returns how that is named to them. Raises
        OSError."""
        old, number = self.folder / "old", 1
        old.mkdir(exist_ok=True)
        while os.path.lexists(target := old / f"{path.stem}-{number}{path.suffix}"):
            number += 1
        path.rename(target)
        return f"{self.lessons[0].home}/old/{target.name}"

    def untouched(self, lesson: Lesson) -> bool:
        """Whether the learner's file is still the lesson's start.py."""
        try:
            return self.file(lesson).read_text(encoding="utf-8") == lesson.text("start.py")
        except (OSError, UnicodeDecodeError, CourseError):
            return False

    def reset(self, lesson: Lesson) -> str:
        """Put the file back as it was at the start; the lesson is then not done any more. Returns where the learner's
        version is, and theirs of what is given, or ""."""
        path, kept = self.file(lesson), ""
        try:
            if path.exists() and not self.untouched(lesson):
                kept = self.put_aside(path)
        except OSError as error:
            raise CourseError(words.NOT_COPIED.format(file=lesson.file, reason=reason_of(error))) from None
        given = self.begin(lesson)
        self.progress.not_passed(lesson)
        return ", ".join(filter(None, (kept, given)))

    def restart(self, lesson: Lesson) -> str:
        """The same, and no save and no hint of the lesson is remembered."""
        kept = self.reset(lesson)
        self.progress.forget(lesson)
        return kept

    def solution(self, lesson: Lesson) -> str:
        """The course's answer; that it was seen is remembered while the lesson is not done."""
        if not self.progress.passed(lesson):
            self.progress.of(lesson)["solution_seen"] = True
            self.progress.happened(lesson)
            self.progress.save()
        return lesson.text("solution.py").rstrip()

    def fingerprint(self, lesson: Lesson) -> str:
        return fingerprint(self.file(lesson))
