"""The search inside the sandboxed child: what is the test, how many slots, how long; the stages are in `stages`."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .changes.edits import Bounds
from .changes.syntax import syntax_error
from .outcome import HintUnusable, Outcome
from .reading.doctests import with_examples, with_scripts
from .reading.hints import with_hint
from .reading.project import Project, read_project
from .running.inline import InlineSlot, can_fork
from .running.running import draw_alike
from .running.slots import Slot
from .running.trials import Laboratory
from .stages import Search

LEAST_SLOTS, MOST_SLOTS = 2, 4  # as many as there are cores
TRYING = 0.9  # of the time; the rest is for what is under way and for choosing
Tell = Callable[[str], None]
Keep = Callable[[Outcome], None]
First = Mapping[str, Sequence[int]]  # path -> lines where the search begins


def search(
    files: dict[str, str],
    hint: str,
    place: Path,
    end: float,
    tell: Tell,
    keep: Keep = lambda outcome: None,
    solutions: Sequence[Mapping[str, str]] = (),
    only: Bounds = None,
    first: First = {},  # noqa: B006 - never changed
    failing: Sequence[str] = (),
    known: Sequence[str] = (),
) -> Outcome:
    """Look for the change of the program that makes all tests pass, until `end` (of the clock).

    `place` is a folder to work in. `hint` is what the user said; a claim in it becomes one more test, when it can be
    understood and is not met. `keep` gets the best outcome so far whenever it gets better. `solutions`: right programs.
    `first`: lines by path that somebody has changed without success. `failing`: what tests are called that are known to
    fail; they are run first. `known`: what all are called that fail where the project is.
    """
    plain = read_project(files)
    without_tests = plain.framework == "none"
    if without_tests:
        plain = read_project(with_examples(files, plain) or files)
    told = with_hint(dict(plain.files), hint, plain)
    if told is not None:
        outcome = _search_project(read_project(told), place, end, tell, keep, solutions, only, first, failing, known)
        if outcome is not None:
            return outcome
        tell("what you said about results could not be made a test here")
    if plain.framework == "none":
        return _search_script(plain, place, end, tell, keep, only, first)
    found = _search_project(plain, place, end, tell, keep, solutions, only, first, failing, known)
    outcome = found or Outcome("failed")
    examples = with_examples(files, plain) if outcome.status == "nothing_to_fix" and not without_tests else None
    if examples is not None:
        tell("the tests pass; now the examples in the docstrings")
        return _search_project(read_project(examples), place, end, tell, keep, (), only, first, failing) or outcome
    return outcome


def _search_script(
    project: Project, place: Path, end: float, tell: Tell, keep: Keep, only: Bounds, first: First
) -> Outcome:
    """Without any tests a script that ends with an error can still be seen to."""
    told = with_scripts(project.files, project)
    outcome = _search_project(read_project(told), place, end, tell, keep, (), only, first) if told else None
    return _no_tests() if outcome is None or outcome.status in ("nothing_to_fix", "no_tests") else outcome


def _no_tests() -> Outcome:
    return Outcome("no_tests", "There are no tests among the files, so nothing says what right would be.")


def _search_project(
    project: Project,
    place: Path,
    end: float,
    tell: Tell,
    keep: Keep,
    solutions: Sequence[Mapping[str, str]],
    only: Bounds,
    first: First,
    failing: Sequence[str] = (),
    known: Sequence[str] = (),
) -> Outcome | None:
    """Search one project. None when the test made from the user's words cannot be run."""
    unusable = _reason_not_to_search(project)
    if unusable is not None:
        return unusable
    if project.framework == "pytest":
        importlib.import_module("pytest")  # once here, so that the slots are forked with it
    draw_alike(project, place)
    if can_fork():
        slots: list[Any] = _slots(project, place, end, _cores())
    else:
        tell("this system does not let processes fork: the search is slower")
        slots = [InlineSlot(project, place / "slot0", end)]
    now = time.monotonic()
    laboratory = Laboratory(slots, now + TRYING * (end - now), tell)
    search = Search(
        project,
        laboratory,
        lambda count: _slots(project, place / "more", end, count),
        keep,
        solutions,
        only,
        first,
        failing,
        known,
    )
    try:
        outcome = search.run()
    except HintUnusable:
        return None
    finally:
        for slot in slots:
            slot.close()
    return replace(outcome, tried=laboratory.tried)


def _slots(project: Project, place: Path, end: float, count: int) -> list[Slot]:
    return [Slot(project, place / f"slot{number}", end) for number in range(count)]


def _cores() -> int:
    """How many slots work side by side."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(LEAST_SLOTS, min(MOST_SLOTS, cores))


def _reason_not_to_search(project: Project) -> Outcome | None:
    if project.framework == "none":
        return _no_tests()
    for path in project.test_paths:
        error = syntax_error(project.files[path])
        if error is not None:
            message = f"The tests in {path} have a syntax error in line {error.lineno}: {error.msg}."
            return Outcome("cannot_import", f"{message} Tests are never edited.")
    if not project.program_paths:
        return Outcome("not_found", "Only tests are among the files, and tests are never edited.")
    return None
