"""my_agent/run, in which the learner's own agent works: made anew for each run. What is no run's in it is put aside."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from cli.reset import put_calculator
from lessons import words
from lessons.checker import lay_out
from lessons.course import CourseError, Lesson
from lessons.learner import Learner
from lessons.progress import fingerprint, reason_of, write_whole

LEFT = ".left.json"  # in the folder: the files that the last run left there, by what they hold


def fresh_run(
    learner: Learner,
    last: Lesson,
    parts: dict[str, Path],
    also: Sequence[str] = (),
    *,
    say: Callable[[str], None],
    own: bool = True,
) -> Path:
    """Make my_agent/run anew: the calculator as shipped, the learner's parts that the file of the lesson `last` is
    built on, and the course's where those are missing. Without `own` that file itself is left out. `say` is told where
    the folder was put aside. Raises CourseError when the disk refuses that."""
    folder = learner.folder / "run"
    try:
        if os.path.lexists(folder) and not is_as_left(folder):
            say(words.RUN_KEPT.format(path=folder, kept=learner.put_aside(folder)))
    except OSError as error:
        raise CourseError(words.RUN_NOT_KEPT.format(path=folder, reason=reason_of(error))) from None
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    put_calculator(folder / "calculator")
    lay_out(last, learner.file(last) if own else None, parts, folder / "parts", also)
    return folder


def remember_what_is_left(folder: Path) -> None:
    """At the end of a run: what lies in its folder now is the run's. Where the disk is full, all of it is put aside by
    the next."""
    with contextlib.suppress(OSError):
        write_whole(folder / LEFT, json.dumps(contents(folder)))


def is_as_left(folder: Path) -> bool:
    """Whether nothing in the folder was added or changed since a run ended there."""
    try:
        left = json.loads((folder / LEFT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(left, dict) and contents(folder).items() <= left.items()


def contents(folder: Path) -> dict[str, str]:
    """What each file holds, by its path, without what Python caches."""
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): fingerprint(path) for path in files if path != folder / LEFT}
