"""For a teacher: what a class has done, as a table, as CSV and as a page; believed, or with every file run again."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.likeness import pairs
from lessons.people import FALLEN, Person, folders_of, person, rebuild, run_all
from lessons.progress import reason_of
from lessons.screen import Screen
from lessons.varied import plain

MOST_ALIKE = 20  # pairs that are told of a lesson


def report(folders: list[str], lessons: list[Lesson], screen: Screen, *, verify: bool, table: str, page: str) -> int:
    """Show a row for each learner (`folders` name my_agent folders, what holds one, or a class of them), and where the
    class is stuck. Returns 1 when a folder could not be read, or when what was believed does not hold."""
    people = [person(folder, lessons) for named in folders for folder in folders_of(named, lessons)]
    if any(each.learner for each in people):
        for each in people:  # whoever has handed in the folder of another is seen by its name
            if each.learner != plain(each.name):
                each.name += f" ({each.learner or words.REPORT_NO_NAME})"
    damaged = [each for each in people if each.damage]
    if verify or damaged:
        run_all(people if verify else damaged, lessons, screen)
    for each in damaged:
        screen.say(rebuild(each, lessons), "failed")
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
    alike = list(who_is_alike(people, lessons))
    if alike:
        screen.title(words.REPORT_ALIKE)
        for line in [*alike, words.REPORT_ALIKE_HOW]:
            screen.say(line)
    if table:
        write(table, screen, rows)
    if page:
        from lessons.report_page import page_of

        write(page, screen, page_of(people, lessons, stuck, alike, verify))
    return int(any(not each.known or FALLEN in map(each.mark, lessons) for each in people))


def heads(lessons: list[Lesson]) -> list[str]:
    return [words.REPORT_WHO, *(str(lesson.number) for lesson in lessons), *words.REPORT_SUMS]


def row(each: Person, lessons: list[Lesson]) -> list[str]:
    """One learner: a mark for each lesson, and the sums."""
    marks = [each.mark(lesson) if each.known else "" for lesson in lessons]
    return [each.name, *marks, *each.sums(lessons)]


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


def who_is_alike(people: list[Person], lessons: list[Lesson]) -> Iterable[str]:
    """For each lesson the pairs of learners whose answers are alike beyond what it gives everybody."""
    for lesson in lessons:
        found = pairs(lesson, [(each.name, each.folder / f"{lesson.part}.py") for each in people])
        for pair in found[:MOST_ALIKE]:
            told = {"number": lesson.number, "title": lesson.title, "one": pair.names[0], "other": pair.names[1]}
            yield words.REPORT_ALIKE_ROW.format(**told, share=pair.share)
        if len(found) > MOST_ALIKE:
            yield words.REPORT_ALIKE_MORE.format(number=lesson.number, more=len(found) - MOST_ALIKE)


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
