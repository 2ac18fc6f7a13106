"""The learners of a class as the report sees them: what they have written down, and what running their files gives."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.progress import Damaged, Progress, fingerprint, read, reason_of, set_aside
from lessons.screen import Screen
from lessons.varied import known_as

FALLEN, MORE = "-", "+"


@dataclass
class Person:
    """One learner. `learner` is the name by which their numbers were drawn, or "". `problem` is set when there is no
    progress to read, `damage` when there is one that is damaged; `held` is what running their files gave, with progress
    or without."""

    name: str
    folder: Path
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    learner: str = ""
    problem: str = ""
    damage: str = ""
    held: dict[str, str] = field(
        default_factory=dict
    )  # the lesson's key -> "" where it passes, else what does not hold

    def record(self, lesson: Lesson) -> dict[str, Any]:
        return self.records.get(lesson.key, {})

    @property
    def known(self) -> bool:
        return not self.problem or bool(self.held)

    def done(self, lesson: Lesson) -> bool:
        """Whether the lesson is done: as its file behaves where it was run, else as the progress says."""
        if lesson.key in self.held:
            return not self.held[lesson.key]
        return bool(self.record(lesson).get("passed"))

    def mark(self, lesson: Lesson) -> str:
        claimed = bool(self.record(lesson).get("passed"))
        if claimed and not self.done(lesson):
            return FALLEN
        if self.done(lesson):
            return "x" if claimed else MORE
        return str(self.record(lesson).get("failed_saves") or "")

    def sums(self, lessons: Sequence[Lesson]) -> list[str]:
        """Lessons done, minutes, saves, hints and solutions seen; last, when a lesson was done, or what is wrong."""
        if not self.known:
            return [*[""] * 5, self.problem]
        done, last = sum(map(self.done, lessons)), max((each["passed"] for each in self.records.values()), default="")
        totals = [self.total("seconds") // 60, *map(self.total, ("saves", "hints", "solution_seen"))]
        return [*map(str, [done, *totals]), self.problem or last]

    def total(self, what: str) -> int:
        return sum(int(record.get(what) or 0) for record in self.records.values())


def folders_of(named: str, lessons: list[Lesson]) -> list[Path]:
    """The learners' folders that a teacher names: one of them, a pattern that no shell has filled in (Windows' do not),
    or the folder of a class, in which whoever has not begun has one, too."""
    like = sorted(glob.glob(named))  # noqa: PTH207 - Path.glob takes no absolute pattern
    found = [Path(each) for each in like] or [Path(named)]
    if len(found) == 1 and own_folder(found[0], lessons) is None and found[0].is_dir():
        below = sorted(each for each in found[0].iterdir() if each.is_dir() and not each.name.startswith("."))
        if any(own_folder(each, lessons) for each in below):
            return below
    return found


def own_folder(folder: Path, lessons: list[Lesson]) -> Path | None:
    """Where a learner's files lie: there, or in my_agent there; None where they are in neither."""
    files = ["progress.json", *(f"{lesson.part}.py" for lesson in lessons)]
    return next((path for file in files for path in (folder, folder / "my_agent") if (path / file).exists()), None)


def person(folder: Path, lessons: list[Lesson]) -> Person:
    name = folder.parent.name if folder.name == "my_agent" else folder.name
    own = own_folder(folder, lessons) or folder
    try:
        data = read(own / "progress.json")
    except Damaged as damage:
        return Person(name, own, {}, known_as(own), words.REPORT_DAMAGED, str(damage))
    if data is None:
        return Person(name, own, {}, known_as(own), words.REPORT_NONE if own.is_dir() else words.REPORT_NO_FOLDER)
    progress = Progress(own / "progress.json", data)
    return Person(name, own, {lesson.key: progress.of(lesson) for lesson in lessons}, known_as(own))


def rebuild(each: Person, lessons: list[Lesson]) -> str:
    """After a damaged progress file, whose owner's files were run: keep it aside and write down what holds, where a
    teacher may write. Returns what to say."""
    progress = Progress(each.folder / "progress.json")
    for lesson in lessons:
        if each.held.get(lesson.key) == "":
            progress.mark_passed(lesson, fingerprint(each.folder / f"{lesson.part}.py"))
    each.records = {lesson.key: progress.of(lesson) for lesson in lessons}
    told = {"name": each.name, "damage": each.damage, "holds": sum(map(each.done, lessons))}
    try:
        kept = set_aside(progress.path)
        try:
            progress.save()
        except CourseError:
            kept.rename(progress.path)
            raise
    except (OSError, CourseError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else error
        return words.REPORT_NOT_REBUILT.format(**told, reason=reason)
    return words.REPORT_REBUILT.format(**told, kept=kept.name)


def run_all(people: list[Person], lessons: list[Lesson], screen: Screen) -> None:
    """Run the files of everybody, as many learners at a time as there are cores. Nothing of theirs is written."""
    from lessons.checker import tell_about_the_walls

    tell_about_the_walls(screen)
    readable = [each for each in people if any((each.folder / f"{lesson.part}.py").exists() for lesson in lessons)]
    workers = os.cpu_count() or 1
    screen.say(words.REPORT_CHECKING.format(people=len(readable), workers=workers), "quiet")
    with ThreadPoolExecutor(workers) as pool:
        under_way = {pool.submit(run_files, each, lessons): each for each in readable}
        for number, future in enumerate(as_completed(under_way), 1):
            each = under_way[future]
            each.held = future.result()
            told = {"name": each.name, "holds": sum(map(each.done, lessons)), "done": number, "count": len(readable)}
            screen.say(words.REPORT_CHECKED.format(**told), "quiet")


def run_files(each: Person, lessons: list[Lesson]) -> dict[str, str]:
    """What does not hold of each of one learner's files, "" where all does. A later file gets those that do."""
    from lessons.checker import run_check

    held, parts = {}, {}
    for lesson in [replace(lesson, learner=each.learner) for lesson in lessons]:
        path = each.folder / f"{lesson.part}.py"
        if not path.exists() or path.read_bytes().splitlines() == lesson.text("start.py").encode().splitlines():
            held[lesson.key] = words.REPORT_NOT_BEGUN
            continue
        try:
            verdict = run_check(lesson, path, parts)
        except CourseError as problem:
            held[lesson.key] = str(problem)
            continue
        held[lesson.key] = verdict.found
        if verdict.passed:
            parts[lesson.part] = path
    return held
