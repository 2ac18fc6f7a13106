"""The search itself, inside the sandboxed child: run, localise, try candidates in order, choose among those that pass."""

from __future__ import annotations

import ast
import importlib
import select
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .baseline import Baseline, take_baseline
from .candidates import MOST, Candidate, make_candidates, worth_trying
from .localise import rank_statements
from .project import Project, read_project
from .slots import Slot
from .source import Source, apply_edits
from .vocabulary import Vocabulary

SLOTS = 2
LOOK_FURTHER = 60  # candidates after the first that passes, and a third of those before it
Tell = Callable[[str], None]


@dataclass
class Outcome:
    """What the search found; `passing` holds the candidates that make all tests pass, the chosen one first."""

    status: str
    message: str = ""
    passing: list[Candidate] = field(default_factory=list)
    tried: int = 0
    suspicious: list[tuple[str, int]] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)


def search(files: dict[str, str], place: Path, seconds: float, tell: Tell) -> Outcome:
    """Look for the change of the program that makes all tests pass. `place` is a folder to work in."""
    deadline = time.monotonic() + seconds
    project = read_project(files)
    if project.framework == "none":
        return Outcome("no_tests", "There are no tests among the files, so nothing says what right would be.")
    if project.framework == "pytest":
        importlib.import_module("pytest")  # once here, so that the slots are forked with it
    slots = [Slot(project, place / "slot0")]
    try:
        baseline = take_baseline(slots[0])
        failing = baseline.facts.failing
        tell(f"{len(failing)} of {len(failing) + len(baseline.facts.passing)} tests fail")
        if not failing and baseline.facts.passing:
            return Outcome("nothing_to_fix", "All tests pass.")
        slots[0].restart(baseline.facts)
        slots += [Slot(project, place / f"slot{number}", baseline.facts) for number in range(1, SLOTS)]
        return _search_singles(project, baseline, slots, deadline, tell)
    finally:
        for slot in slots:
            slot.close()


def _search_singles(project: Project, baseline: Baseline, slots: list[Slot], deadline: float, tell: Tell) -> Outcome:
    sources = {path: Source(path, project.files[path]) for path in project.program_paths}
    ranks = rank_statements(sources, baseline.coverage)
    places = sorted(
        (source.path, one.lineno) for source in sources.values() for one in source.statements() if one in ranks
    )
    by_rank = sorted(ranks.items(), key=lambda pair: -pair[1])
    suspicious = [(path_of(statement, sources), statement.lineno) for statement, _ in by_rank]
    tell(f"{len(suspicious)} suspicious lines in {len({path for path, _ in places})} files")
    words = Vocabulary(sources, [ast.parse(project.files[path]) for path in project.test_paths])
    candidates = worth_trying(make_candidates(sources, ranks, words), sources)
    trials = try_in_order(candidates, slots, sources, deadline, tell)
    passing = [trial.candidate for trial in trials if trial.passed]
    status = "repaired" if passing else "not_found"
    return Outcome(status, "", passing, len(trials), suspicious, baseline.facts.failing)


def path_of(statement: ast.AST, sources: dict[str, Source]) -> str:
    """The file of a statement."""
    while not isinstance(statement, ast.Module):
        statement = statement.parent
    return next(path for path, source in sources.items() if source.tree is statement)


@dataclass
class Trial:
    """A candidate and what running the tests for it showed."""

    candidate: Candidate
    passed: bool = False
    fixed: tuple[str, ...] = ()  # failing tests that pass now
    broken: bool = False  # a passing test fails now
    timed_out: bool = False


def try_in_order(
    candidates: Iterator[Candidate], slots: list[Slot], sources: dict[str, Source], deadline: float, tell: Tell
) -> list[Trial]:
    """Judge candidates, several at a time but decided by their order alone.

    After the first that passes the search goes a little further, by a count that depends on its place in the order
    and not on the clock, so that the same files give the same answer.
    """
    trials: list[Trial] = []
    end, idle, busy = MOST, list(slots), []
    while True:
        while idle and len(trials) < end and time.monotonic() < deadline:
            candidate = next(candidates, None)
            if candidate is None:
                end = min(end, len(trials))
                break
            slot = idle.pop()
            slot.busy_with = len(trials)
            trials.append(Trial(candidate))
            text = apply_edits(sources[candidate.path].text, candidate.edits)
            slot.send({"kind": "judge", "texts": {candidate.path: text}, "patience": 1.0})
            busy.append(slot)
        if not busy:
            return trials[:end]
        for slot in select.select(busy, [], [], 1.0)[0]:
            busy.remove(slot)
            idle.append(slot)
            trial = trials[slot.busy_with]
            _take_verdict(trial, slot.receive())
            if trial.passed:
                end = min(end, slot.busy_with + LOOK_FURTHER + slot.busy_with // 3)
        if len(trials) % 100 == 0:
            tell(f"{len(trials)} candidates tried")


def _take_verdict(trial: Trial, records: list[dict[str, Any]]) -> None:
    verdict = records[-1] if records else {}
    if "passed" not in verdict:
        trial.timed_out = True
        return
    trial.passed, trial.broken, trial.fixed = verdict["passed"], verdict["broken"], tuple(verdict["fixed"])
