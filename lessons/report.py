"""For a teacher: what a class has done, as a table, as CSV and as a page; believed, or with every file run again."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.progress import Damaged, Progress, read, reason_of
from lessons.screen import Screen

FALLEN, MORE = "-", "+"


@dataclass
class Person:
    """One learner. `problem` is set when there is no progress to read; `held` is what running their files gave, with
    progress or without."""

    name: str
    folder: Path
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    problem: str = ""
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

    def total(self, what: str) -> int:
        return sum(int(record.get(what) or 0) for record in self.records.values())


def report(folders: list[str], lessons: list[Lesson], screen: Screen, *, verify: bool, table: str, page: str) -> int:
    """Show a row for each folder (a learner's my_agent, or what holds it), and where the class is stuck. Returns 1 when
    a folder could not be read, or when what was believed does not hold."""
    people = [person(Path(folder), lessons) for folder in folders]
    if verify:
        run_all(people, lessons, screen)
    rows = [heads(lessons), *(row(each, lessons) for each in people)]
    widths = [max(len(line[index]) for line in rows) for index in range(len(rows[0]))]
    for line in rows:
        screen.line("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    screen.say(words.REPORT_MARKS)
    screen.say(words.REPORT_VERIFIED if verify else words.REPORT_BELIEVED)
    screen.title(words.REPORT_STUCK)
    stuck = list(where_stuck(people, lessons))
    for line in stuck or [words.REPORT_ALL_THROUGH]:
        screen.say(line)
    if table:
        write(table, screen, rows)
    if page:
        from lessons.report_page import page_of

        write(page, screen, page_of(rows, stuck, verify))
    return int(any(not each.known or FALLEN in map(each.mark, lessons) for each in people))


def person(folder: Path, lessons: list[Lesson]) -> Person:
    name = folder.parent.name if folder.name == "my_agent" else folder.name
    files = ["progress.json", *(f"{lesson.part}.py" for lesson in lessons)]
    own = next((path for file in files for path in (folder, folder / "my_agent") if (path / file).exists()), folder)
    try:
        data = read(own / "progress.json")
    except Damaged:
        return Person(name, own, problem=words.REPORT_DAMAGED)
    if data is None:
        return Person(name, own, problem=words.REPORT_NONE)
    progress = Progress(own / "progress.json", data)
    return Person(name, own, {lesson.key: progress.of(lesson) for lesson in lessons})


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
    for lesson in lessons:
        path = each.folder / f"{lesson.part}.py"
        if not path.exists() or path.read_bytes() == (lesson.folder / "start.py").read_bytes():
            held[lesson.key] = words.REPORT_NOT_BEGUN
            continue
        try:
            verdict = run_check(lesson, path, parts)
        except CourseError as problem:
            held[lesson.key] = str(problem)
            continue
        held[lesson.key] = verdict.problem or (verdict.failed[0].title if verdict.failed else "")
        if verdict.passed:
            parts[lesson.part] = path
    return held


def heads(lessons: list[Lesson]) -> list[str]:
    sums = [words.REPORT_DONE, words.REPORT_SAVES, words.REPORT_HINTS, words.REPORT_SOLUTIONS, words.REPORT_LAST]
    return [words.REPORT_WHO, *(str(lesson.number) for lesson in lessons), *sums]


def row(each: Person, lessons: list[Lesson]) -> list[str]:
    """One learner: a mark for each lesson, and the sums."""
    if not each.known:
        return [each.name, *[""] * len(lessons), "", "", "", "", each.problem]
    sums = [sum(map(each.done, lessons)), each.total("saves"), each.total("hints"), each.total("solution_seen")]
    last = max((record["passed"] for record in each.records.values()), default="")
    return [each.name, *(each.mark(lesson) for lesson in lessons), *map(str, sums), each.problem or last]


def where_stuck(people: list[Person], lessons: list[Lesson]) -> Iterable[str]:
    """For each lesson before which learners stand: how many, after how many saves, and at what most of them."""
    readable = [each for each in people if each.known]
    standing: dict[int, list[Person]] = {}
    for each in readable:
        first = next((index for index, lesson in enumerate(lessons) if not each.done(lesson)), None)
        if first is not None:
            standing.setdefault(first, []).append(each)
    for index, stuck in sorted(standing.items(), key=lambda item: (-len(item[1]), item[0])):
        lesson = lessons[index]
        numbers = {"number": lesson.number, "title": lesson.title, "stuck": len(stuck), "people": len(readable)}
        said = words.REPORT_STUCK_ROW.format(
            **numbers, saves=sum(int(each.record(lesson).get("failed_saves") or 0) for each in stuck)
        )
        cases = Counter(each.held[lesson.key] for each in stuck if each.held.get(lesson.key))
        at = [words.REPORT_STUCK_AT.format(times=times, case=case) for case, times in cases.most_common(2)]
        yield ". ".join([said, *at])


def write(name: str, screen: Screen, what: list[list[str]] | str) -> None:
    try:
        with Path(name).open("w", newline="", encoding="utf-8") as file:
            if isinstance(what, str):
                file.write(what)
            else:
                csv.writer(file).writerows(what)
    except OSError as error:
        raise CourseError(words.NO_CSV.format(path=name, reason=reason_of(error))) from None
    screen.line(words.REPORT_WRITTEN.format(path=name))
