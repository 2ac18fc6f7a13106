"""For a teacher: the progress files of a class as a table, and as CSV."""

from __future__ import annotations

import csv
from pathlib import Path

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.progress import Damaged, Progress, read, reason_of
from lessons.screen import Screen


def report(folders: list[str], lessons: list[Lesson], screen: Screen, csv_file: str) -> int:
    """Show a row for each folder (a learner's my_agent, or what holds it). Returns 1 when one could not be read."""
    rows = [row(Path(folder), lessons) for folder in folders]
    heads = [words.REPORT_WHO, *(str(lesson.number) for lesson in lessons), words.REPORT_DONE]
    heads += [words.REPORT_HINTS, words.REPORT_LAST]
    widths = [max(len(line[index]) for line in [heads, *rows]) for index in range(len(heads))]
    for line in [heads, *rows]:
        screen.line("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    if csv_file:
        try:
            with Path(csv_file).open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([heads, *rows])
        except OSError as error:
            raise CourseError(words.NO_CSV.format(path=csv_file, reason=reason_of(error))) from None
        screen.line(words.REPORT_WRITTEN.format(path=csv_file))
    return int(any(row[-1] in (words.REPORT_NONE, words.REPORT_DAMAGED) for row in rows))


def row(folder: Path, lessons: list[Lesson]) -> list[str]:
    """One learner: a mark for each lesson ("x" done, the failed saves, or ""), and the sums."""
    name = folder.parent.name if folder.name == "my_agent" else folder.name
    found = next(
        (path for path in (folder / "progress.json", folder / "my_agent" / "progress.json") if path.exists()), None
    )
    try:
        data = read(found) if found else None
    except Damaged:
        return [name, *[""] * len(lessons), "", "", words.REPORT_DAMAGED]
    if data is None or found is None:
        return [name, *[""] * len(lessons), "", "", words.REPORT_NONE]
    progress = Progress(found, data)
    records = [progress.of(lesson) for lesson in lessons]
    marks = ["x" if each["passed"] else str(each["failed_saves"] or "") for each in records]
    done, hints = sum(bool(each["passed"]) for each in records), sum(each["hints"] for each in records)
    return [name, *marks, str(done), str(hints), max((each["passed"] for each in records), default="")]
