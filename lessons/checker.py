"""Check a learner's file: its code runs in a child behind the project's sandbox; the cases and the verdict are here.

Whatever the learner wrote, a verdict comes back: an endless loop, an exit, megabytes of output are verdicts too.
"""

from __future__ import annotations

import ast
import errno
import importlib.util
import shutil
import tempfile
import threading
import time
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from lessons import words
from lessons.checking import IMPORTING, Check, Enough, Failed, printable
from lessons.course import CourseError, Lesson, all_lessons
from lessons.parent import MODEL_SECONDS, SECONDS, Gone, Parent
from lessons.screen import Screen

PARSING = threading.Lock()  # Python 3.11 counts the depth of all trees that its threads read as if they were one


@dataclass(frozen=True)
class Case:
    """One thing that a check looked at. The last four are for a case that does not hold."""

    title: str
    state: str  # "ok" | "failed" | "skipped"
    called: str = ""
    got: str = ""
    expected: str = ""
    why: str = ""


@dataclass(frozen=True)
class Verdict:
    """What a check found. `problem` is set when it could not judge; `picture` is what to show after a pass.

    `yours` and `lent` are the names of the other lessons' parts that were used: the learner's, and the course's own.
    `trail` is what was called and what came back (lessons/checking.py).
    """

    cases: tuple[Case, ...] = ()
    picture: tuple[str, ...] = ()
    recording: dict[str, Any] | None = None
    printed: str = ""
    problem: str = ""
    seconds: float = 0.0
    yours: tuple[str, ...] = ()
    lent: tuple[str, ...] = ()
    trail: tuple[dict[str, str], ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problem and bool(self.cases) and all(case.state != "failed" for case in self.cases)

    @property
    def failed(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.state == "failed")

    @property
    def found(self) -> str:
        """What does not hold, in one line: why it could not judge, or the first case that failed; "" after a pass."""
        if self.passed:
            return ""
        return self.problem or (self.failed[0].title if self.failed else words.NO_CASES)


Parts = Mapping[str, Path]


def run_check(lesson: Lesson, source: Path | None, parts: Parts | None = None, *, hurry: bool = False) -> Verdict:
    """Check a file, or the shipped agent when `source` is None. `parts`: the learner's other files that have passed, in
    place of which the course lends its own; None where there is no learner, and nothing is called lent. `hurry` ends at
    the first case that does not hold.

    Never raises for what the learner's code does. Raises CourseError when their file cannot be read, when the course's
    own files cannot, when the disk is full, and when this system's sandbox cannot run what the lesson is about.
    """
    if source:
        look_for_what_is_needed(lesson)
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="lesson-", ignore_cleanup_errors=True) as scratch:
            folder = Path(scratch).resolve()
            check = load_check(lesson)
            laid_out = prepare(lesson, check, source, parts or {}, folder)
            shipped = None if source else load_file(lesson.folder / "shipped.py", "shipped")
            stands_in = None if source else lesson.folder / "shipped.py"
            seconds = getattr(check, "SECONDS", SECONDS) * (1 if source else 4)  # the real agent starts servers
            parent = Parent(folder, lesson.part, seconds, stands_in=stands_in)
            with parent:
                talk = Check(parent, lesson.file, [] if shipped else packages(laid_out.values()), shipped, hurry)
                problem = judged(lesson, check, talk)
            if parent.problem:
                raise refused(parent.problem)
    except OSError as error:
        raise disk_problem(error) from error
    if problem is not None:
        problem = why_no_verdict(talk.doing, problem, parent.printed, getattr(check, "SECONDS", SECONDS))
    cases = tuple(Case(**case) for case in talk.cases) if problem is None else ()
    printed = printable(parent.printed.replace("\r\n", "\n"))  # what no terminal is to obey is spelled out
    picture, seconds, trail = tuple(map(printable, talk.picture)), time.monotonic() - began, tuple(talk.trail)
    verdict = Verdict(cases, picture, talk.recording, printed, printable(problem or ""), seconds, trail=trail)
    used = laid_out.keys() - talk.stubbed - {lesson.part}
    return verdict if parts is None or problem else whose(lesson, check, verdict, parts, used)


def judged(lesson: Lesson, check: ModuleType, talk: Check) -> str | None:
    """Run the check; what is found stands in `talk`. Returns why the child went away, None when it did not."""
    try:
        check.check(talk)
    except Failed as failed:  # outside a case: the file cannot be loaded
        talk.cases.append({"title": "the file can be used", "state": "failed", **failed.parts})
    except Enough:
        return None
    except Gone as gone:
        return gone.why
    except Exception as error:
        if talk.holds:  # else it is what the failed case lacks
            frame = traceback.extract_tb(error.__traceback__)[-1]
            where = f"({Path(frame.filename).name}, line {frame.lineno})"
            raise broken_check(lesson, f"{type(error).__name__}: {error} {where}") from error
    return None


def whose(lesson: Lesson, check: ModuleType, verdict: Verdict, parts: Parts, used: set[str]) -> Verdict:
    """Tell the learner's parts from the lent ones; where a lesson wants none lent, that is one case more."""
    others = {other.part: other for other in all_lessons(lesson.folder.parent, lesson.home)}
    yours, lent = ([name for name in others if name in used and (name in parts) is own] for own in (True, False))
    cases = verdict.cases
    if cases and getattr(check, "OWN_PARTS", False):
        named = ", ".join(f"{name} (lesson {others[name].number})" for name in lent)
        wanted = words.OWN_PARTS_WANTED.format(file=lesson.file, number=others[lent[0]].number if lent else 0)
        failed = {"got": words.OWN_PARTS_LENT.format(named=named), "expected": wanted, "why": words.OWN_PARTS_WHY}
        cases += (Case(words.OWN_PARTS, "failed", **failed) if lent else Case(words.OWN_PARTS, "ok"),)
    return replace(verdict, cases=cases, yours=tuple(yours), lent=tuple(lent))


def look_for_what_is_needed(lesson: Lesson) -> None:
    """Raise CourseError when the lesson's check needs a package, or a freedom of its code, that is not here."""
    from config import ConfigError, need
    from sandbox.running.levels import level

    check = load_check(lesson)
    for package in getattr(check, "NEEDS", ()):
        try:
            need(package)
        except ConfigError:
            raise CourseError(words.NOT_INSTALLED.format(number=lesson.number, package=package)) from None
    if getattr(check, "STARTS_PROGRAMS", False) and not level().can_fork:
        raise CourseError(words.NO_FORK.format(number=lesson.number))


def tell_about_the_walls(screen: Screen) -> None:
    """Where nothing can hold the learner's code in, say so. To be called before it runs."""
    from sandbox.running.levels import level

    if not level().confined:
        screen.say(words.NO_WALL, "failed")


def disk_problem(error: OSError) -> CourseError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return CourseError(words.DISK_FULL)
    return CourseError(words.CANNOT_CHECK.format(reason=f"{error.strerror or error} ({error.filename})"))


def refused(problem: Exception) -> Exception:
    from sandbox.files.root import Refusal

    return CourseError(words.CANNOT_CHECK.format(reason=problem)) if isinstance(problem, Refusal) else problem


def prepare(lesson: Lesson, check: ModuleType, source: Path | None, parts: Parts, scratch: Path) -> dict[str, Path]:
    """Lay out the folder in which the child runs: nothing that it deletes there is the learner's."""
    (scratch / "work").mkdir()
    laid_out = lay_out(lesson, source, parts, scratch / "parts")
    prepare_work = getattr(check, "prepare", None)
    if prepare_work:
        prepare_work(scratch / "work")
    return laid_out


def lay_out(
    lesson: Lesson, source: Path | None, parts: Parts, folder: Path, also: Iterable[str] = ()
) -> dict[str, Path]:
    """Put a learner's file into a folder with all that it imports of the course, also through each other: their own
    parts, lent ones, and what is given. Returns the files by the names of their modules. What nothing imports is not
    lent: a solution lies in no sandbox without need."""
    folder.mkdir(parents=True)
    known: dict[str, Path] = {}
    for other in all_lessons(lesson.folder.parent):
        if other.number < lesson.number:
            known[other.part] = parts.get(other.part) or other.folder / "solution.py"
        for given in other.folder.glob("given_*.py") if other.number <= lesson.number else ():
            known[given.stem.removeprefix("given_")] = given
    given = {path.stem.removeprefix("given_"): path for path in lesson.folder.glob("given_*.py")}
    laid_out = given | ({lesson.part: source} if source else {}) | {name: known[name] for name in also}
    waiting = list(laid_out.values())
    while waiting:
        for name in imported(waiting.pop()) & known.keys() - laid_out.keys():
            laid_out[name] = known[name]
            waiting.append(known[name])
    for name, path in laid_out.items():
        shutil.copy(path, folder / f"{name}.py")
    return laid_out


def packages(files: Iterable[Path]) -> list[str]:
    """What these files import that is not of the course: importing it may take its time."""
    files = list(files)
    return sorted({name for path in files for name in imported(path)} - {path.stem for path in files} - {""})


def imported(path: Path) -> set[str]:
    """The names after `import` and `from`; none when the file is no Python."""
    try:
        with PARSING:
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def load_check(lesson: Lesson) -> ModuleType:
    """The lesson's check as a module. Raises CourseError when somebody has broken it."""
    try:
        module = load_file(lesson.folder / "check.py", f"lessons.check_{lesson.key}")
        module.check  # noqa: B018 - it must be there
        if lesson.varied:
            setattr(module, lesson.varied.name, lesson.varied.own)
    except Exception as error:
        raise broken_check(lesson, f"{type(error).__name__}: {error}") from None
    return module


def load_file(path: Path, name: str) -> ModuleType:
    """A file of the course as a module; nothing is written beside it."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), vars(module))
    return module


def broken_check(lesson: Lesson, reason: str) -> CourseError:
    place = f"lessons/{lesson.key}/check.py"
    return CourseError(words.BROKEN_CHECK.format(number=lesson.number, reason=reason, place=place))


def why_no_verdict(stage: str, stopped: str, printed: str, seconds: float) -> str:
    doing = words.BUSY_WITH.format(stage=stage) if stage else ""
    if stopped == "time" and stage.startswith(IMPORTING):
        return words.STOPPED_IMPORT.format(stage=stage, seconds=MODEL_SECONDS)
    if stopped in ("time", "cancelled"):
        return words.STOPPED_TIME.format(seconds=seconds, doing=doing)
    if stopped in words.STOPPED:
        return words.STOPPED[stopped].format(doing=doing)
    how = words.ENDED_BY.format(by=stopped, doing=doing) if stopped else words.ENDED_ITSELF.format(doing=doing)
    last = printed.strip().rsplit("\n", 1)[-1][:200]
    return how + (words.LAST_WORDS.format(words=last) if last else "")


def warm_up(lesson: Lesson) -> None:
    """Import in the background, while the learner reads, what the lesson's check will need."""
    from sandbox.running.levels import warm

    def load() -> None:
        with suppress(Exception):
            for module in getattr(load_check(lesson), "NEEDS", ()):
                importlib.import_module(module)

    warm()
    threading.Thread(target=load, daemon=True).start()
