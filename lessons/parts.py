"""Which of the learner's other files a lesson may be built on: those that have passed, and hold as they are now."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from lessons import words
from lessons.checker import Verdict, imported, run_check
from lessons.course import CourseError, Lesson
from lessons.learner import Learner


@dataclass
class Parts:
    """`files`: the learner's own, by module name. `broken`: a sentence for each that passed once and holds no more."""

    files: dict[str, Path] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


def parts_for(learner: Learner, lesson: Lesson, also: Collection[str] = ()) -> Parts:
    """The parts that the learner's file for a lesson imports, also through each other; and those named in `also`.

    A file that is no longer the one that passed is checked again, and the change of what is known of it is written to
    the progress in memory. Raises CourseError as a check does.
    """
    parts = Parts()
    wanted = needed(learner, lesson) | set(also)
    for other in learner.lessons:
        path = learner.file(other)
        if other.number >= lesson.number or other.part not in wanted or not learner.progress.passed(other):
            continue
        if not path.exists():
            parts.broken.append(words.PART_GONE.format(file=other.file, number=other.number))
        elif problem := changed_for_the_worse(learner, other, parts.files):
            parts.broken.append(words.PART_BROKEN.format(file=other.file, number=other.number, problem=problem))
        else:
            parts.files[other.part] = path
    return parts


def changed_for_the_worse(learner: Learner, lesson: Lesson, parts: dict[str, Path]) -> str:
    """What a file that has changed since it passed lacks now, or ""."""
    now = learner.fingerprint(lesson)
    if now == learner.progress.of(lesson)["passed_as"]:
        return ""
    try:
        verdict = run_check(lesson, learner.file(lesson), parts)
    except CourseError as problem:  # it cannot be checked here: it is what it was
        return "" if learner.progress.passed(lesson) else str(problem)
    if verdict.passed:
        learner.progress.mark_passed(lesson, now)
        return ""
    return verdict.found


def culprit(lesson: Lesson, source: Path, parts: dict[str, Path], verdict: Verdict, lessons: list[Lesson]) -> str:
    """A sentence on which of the learner's parts is to blame where a file fails that is built on them: the course's own
    are put in their place, first all, then one after the other. "" where the fault is the file's, or none of theirs is
    in it. The parts have passed their own lessons; here they meet."""
    failed = verdict.failed[0].title if verdict.failed else ""
    own = {name: path for name, path in parts.items() if name in verdict.yours or verdict.problem}
    unwritten = bool(verdict.failed) and verdict.failed[0].got.startswith("not written yet: ")
    if verdict.passed or not own or unwritten or failed == words.OWN_PARTS:
        return ""

    def cured_without(names: Collection[str]) -> bool:
        others = {name: path for name, path in parts.items() if name not in names}
        now = run_check(lesson, source, others, hurry=True)
        held = [case.title for case in now.cases if case.state == "ok"]
        return not now.problem and (failed in held if failed else True)

    if not cured_without(own):
        return ""
    found = next((other for other in lessons if other.part in own and cured_without([other.part])), None)
    if found is None:
        return words.CULPRITS.format(names=", ".join(own), title=failed)
    return words.CULPRIT.format(file=found.file, number=found.number, title=failed or lesson.title, here=lesson.file)


def needed(learner: Learner, lesson: Lesson) -> set[str]:
    """The names of the modules beside the learner's file that it imports, also through each other."""
    found: set[str] = set()
    waiting = [learner.file(lesson), *lesson.folder.glob("given_*.py")]
    while waiting:
        for name in imported(waiting.pop()) - found:
            path = learner.folder / f"{name}.py"
            if path.exists():
                found.add(name)
                waiting.append(path)
    return found
