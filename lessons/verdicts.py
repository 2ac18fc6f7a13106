"""A verdict as the learner reads it."""

from __future__ import annotations

from lessons import words
from lessons.checker import Case, Verdict
from lessons.course import Lesson
from lessons.screen import Screen

ROWS_BESIDE = 16  # of a screen, for what stands below the list of cases
MOST_PRINTED = 12  # lines of what the learner's code printed
MARKS = {"ok": words.OK, "failed": words.NOT_YET, "skipped": words.SKIPPED}


def show_verdict(screen: Screen, lesson: Lesson, count: int, verdict: Verdict, before: bool = False) -> None:
    """Say what was found: each case, then the first that does not hold in full."""
    if verdict.problem:
        screen.say(words.WHERE.format(number=lesson.number, count=count, title=lesson.title), "title")
        screen.say(verdict.problem, "failed")
        return
    failed = verdict.failed
    if failed and not failed[0].called and failed[0].got.startswith("not written yet: "):
        what = failed[0].got.removeprefix("not written yet: ")
        screen.say(words.NOT_WRITTEN.format(file=lesson.file, what=what), "failed")
        return
    for case in shown_cases(screen, verdict):
        screen.pair(MARKS[case.state], case.title, "" if case.state == "failed" else case.state)
    show_printed(screen, verdict)
    screen.line()
    cases = len(verdict.cases)
    if not failed:
        said = words.AGAIN if before else words.PASSED
        screen.say(said.format(number=lesson.number, cases=cases), "ok")
        return
    numbers = {"number": lesson.number, "count": count, "held": cases - len(failed), "cases": cases}
    screen.say(words.SUMMARY.format(**numbers))
    show_case(screen, failed[0])


def shown_cases(screen: Screen, verdict: Verdict) -> list[Case]:
    """All cases; where they would push what is wrong off a small screen, those that hold are one line."""
    cases, holds = list(verdict.cases), [case for case in verdict.cases if case.state == "ok"]
    if screen.room is None or len(cases) + ROWS_BESIDE <= screen.size.lines or not verdict.failed or len(holds) < 3:
        return cases
    titles = words.HELD.format(count=len(holds))
    return [Case(titles, "ok"), *(case for case in cases if case.state != "ok")]


def show_parts(screen: Screen, verdict: Verdict, broken: list[str]) -> None:
    """Whose the other parts inside are, and which of the learner's do not hold any more."""
    for words_of, names in ((words.YOURS, verdict.yours), (words.LENT, verdict.lent)):
        if names:
            screen.say(words_of.format(names=", ".join(names)), "quiet")
    for sentence in broken:
        screen.say(sentence, "failed")


def show_case(screen: Screen, case: Case) -> None:
    screen.say(words.FIRST.format(title=case.title), "failed")
    parts = {words.CALLED: case.called, words.GOT: case.got, words.EXPECTED: case.expected, words.WHY: case.why}
    for label, text in parts.items():
        if text:
            screen.pair(label, text)
    screen.line()


def show_printed(screen: Screen, verdict: Verdict) -> None:
    lines = verdict.printed.rstrip().split("\n") if verdict.printed.strip() else []
    if not lines:
        return
    screen.line()
    screen.say(words.PRINTED)
    screen.code("\n".join(lines[:MOST_PRINTED]))
    if len(lines) > MOST_PRINTED:
        screen.say(words.PRINTED_MORE.format(more=len(lines) - MOST_PRINTED))


def show_picture(screen: Screen, frame: str) -> None:
    """What there is to see after a pass: a first line that says what it is, then the thing itself."""
    heading, _, rest = frame.partition("\n")
    screen.line()
    screen.say(heading, "title")
    screen.code(rest, "")
    screen.line()
