"""Check a learner's file: run the lesson's check in a child process behind the project's sandbox, and read its verdict.

Whatever the learner wrote, a verdict comes back: an endless loop, an exit, megabytes of output are verdicts too.
"""

from __future__ import annotations

import errno
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from lessons import words
from lessons.course import LESSONS, CourseError, Lesson, all_lessons
from lessons.relay import SECONDS, RelayServer
from lessons.screen import Screen

MODEL_SECONDS = 60.0  # for a model's answers, in all
LARGEST_VERDICT = 4 * 2**20


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
    """

    cases: tuple[Case, ...] = ()
    picture: tuple[str, ...] = ()
    recording: dict[str, Any] | None = None
    printed: str = ""
    problem: str = ""
    seconds: float = 0.0
    yours: tuple[str, ...] = ()
    lent: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problem and bool(self.cases) and all(case.state != "failed" for case in self.cases)

    @property
    def failed(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.state == "failed")


Parts = Mapping[str, Path]


def run_check(lesson: Lesson, source: Path | None, parts: Parts | None = None) -> Verdict:
    """Check a file, or the shipped agent when `source` is None. `parts`: the learner's other files that have passed, in
    place of which the course lends its own; None where there is no learner, and nothing is called lent.

    Never raises for what the learner's code does. Raises CourseError when their file cannot be read, when the course's
    own files cannot, when the disk is full, and when this system's sandbox cannot run what the lesson is about.
    """
    if source:
        look_for_what_is_needed(lesson)
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="lesson-", ignore_cleanup_errors=True) as scratch:
            folder = Path(scratch).resolve()
            prepare(lesson, source, parts or {}, folder)
            verdict = run_child(lesson, source, folder, began)
            return verdict if parts is None else whose(lesson, verdict, parts)
    except OSError as error:
        raise disk_problem(error) from error


def whose(lesson: Lesson, verdict: Verdict, parts: Parts) -> Verdict:
    """Tell the learner's parts from the lent ones; where a lesson wants none lent, that is one case more."""
    others = {other.part: other for other in all_lessons(lesson.folder.parent, lesson.home)}
    used = [name for name in others if name in verdict.yours]
    yours, lent = ([name for name in used if (name in parts) is own] for own in (True, False))
    cases = verdict.cases
    if cases and getattr(load_check(lesson), "OWN_PARTS", False):
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


def prepare(lesson: Lesson, source: Path | None, parts: Parts, scratch: Path) -> None:
    """Lay out the folder in which the child runs: nothing that it deletes there is the learner's."""
    for name in ("parts", "work", "relay"):
        (scratch / name).mkdir()
    for other in all_lessons(lesson.folder.parent):
        if other.number < lesson.number:
            shutil.copy(parts.get(other.part) or other.folder / "solution.py", scratch / "parts" / f"{other.part}.py")
        for extra in other.folder.glob("given_*.py") if other.number <= lesson.number else ():
            shutil.copy(extra, scratch / "parts" / extra.name.removeprefix("given_"))
    if source is not None:
        shutil.copy(source, scratch / "parts" / f"{lesson.part}.py")
    prepare_work = getattr(load_check(lesson), "prepare", None)
    if prepare_work:
        prepare_work(scratch / "work")


def load_check(lesson: Lesson) -> ModuleType:
    """The lesson's check as a module. Raises CourseError when somebody has broken it."""
    path = lesson.folder / "check.py"
    spec = importlib.util.spec_from_file_location(f"lessons.check_{lesson.key}", path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), vars(module))
        module.check  # noqa: B018 - it must be there
    except Exception as error:
        raise broken_check(lesson, f"{type(error).__name__}: {error}") from None
    return module


def broken_check(lesson: Lesson, reason: str) -> CourseError:
    place = f"lessons/{lesson.key}/check.py"
    return CourseError(words.BROKEN_CHECK.format(number=lesson.number, reason=reason, place=place))


def run_child(lesson: Lesson, source: Path | None, scratch: Path, began: float) -> Verdict:
    arguments = [str(LESSONS / "child.py"), str(lesson.folder), lesson.part, lesson.file]
    stop, seconds = threading.Event(), getattr(load_check(lesson), "SECONDS", SECONDS)
    relay = RelayServer(scratch / "relay", stop, seconds)
    with relay:
        if source is None:  # the project's own code, which may need a network of its own
            ran = subprocess.run(
                [sys.executable, "-s", *arguments, "shipped"],
                cwd=scratch,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=120,
            )
            printed, stopped = (ran.stdout + ran.stderr).decode(errors="replace"), ""
        else:
            printed, stopped = run_confined(arguments, scratch, stop, lesson, seconds)
    verdict = read_verdict(scratch, lesson, printed, stopped, seconds)
    return replace(verdict, printed=printed, seconds=time.monotonic() - began)


def run_confined(
    arguments: list[str], scratch: Path, stop: threading.Event, lesson: Lesson, seconds: float
) -> tuple[str, str]:
    from sandbox.files.root import Refusal, Root
    from sandbox.running.process import Limits, run_python

    limits = Limits(seconds=seconds + MODEL_SECONDS, output_bytes=20_000)
    readable = [LESSONS] if lesson.folder.parent == LESSONS else [LESSONS, lesson.folder]
    try:
        with Root(scratch) as root:
            outcome = run_python(root, arguments, limits=limits, cancelled=stop, readable=readable)
    except Refusal as refusal:
        raise CourseError(words.CANNOT_CHECK.format(reason=refusal)) from None
    stopped = outcome.stopped_for or (f"signal {outcome.signal}" if outcome.signal else "")
    return "\n".join(filter(None, [outcome.stdout.rstrip(), outcome.stderr.rstrip()])), stopped


def read_verdict(scratch: Path, lesson: Lesson, printed: str, stopped: str, seconds: float) -> Verdict:
    """Read what the child wrote; when it wrote nothing, say why."""
    stage = ""
    with suppress(OSError, UnicodeDecodeError):
        stage = (scratch / "stage").read_text(encoding="utf-8")[:600]
    try:
        text = (scratch / "verdict.json").read_text(encoding="utf-8")
        found = json.loads(text) if len(text) <= LARGEST_VERDICT else {}
        cases = tuple(Case(**case) for case in found["cases"])
        picture, used, broken = tuple(found["picture"]), tuple(found["used"]), found["broken"]
    except (OSError, ValueError, TypeError, KeyError):
        return Verdict(problem=why_no_verdict(stage, stopped, printed, seconds))
    if broken:
        raise broken_check(lesson, broken)
    return Verdict(cases=cases, picture=picture, recording=found.get("recording"), yours=used)


def why_no_verdict(stage: str, stopped: str, printed: str, seconds: float) -> str:
    doing = words.BUSY_WITH.format(stage=stage) if stage else ""
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
