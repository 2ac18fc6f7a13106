"""The search itself, inside the sandboxed child: run, localise, try candidates in order, choose among those that pass."""

from __future__ import annotations

import ast
import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .baseline import Baseline, take_baseline
from .candidates import Candidate, make_candidates
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
    candidates = make_candidates(sources, ranks, words)
    verdicts = try_in_order(candidates, slots, sources, deadline, tell)
    passing = [candidates[index] for index in sorted(verdicts) if verdicts[index].get("passed")]
    status = "repaired" if passing else "not_found"
    return Outcome(status, "", passing, len(verdicts), suspicious, baseline.facts.failing)


def path_of(statement: ast.AST, sources: dict[str, Source]) -> str:
    """The file of a statement."""
    while not isinstance(statement, ast.Module):
        statement = statement.parent
    return next(path for path, source in sources.items() if source.tree is statement)


def try_in_order(
    candidates: list[Candidate], slots: list[Slot], sources: dict[str, Source], deadline: float, tell: Tell
) -> dict[int, dict[str, Any]]:
    """Judge candidates, several at a time but decided by their order alone: index -> verdict.

    After the first that passes the search goes a little further, by a count that depends on its place in the order
    and not on the clock, so that the same files give the same answer.
    """
    verdicts: dict[int, dict[str, Any]] = {}
    waiting = iter(range(len(candidates)))
    end = len(candidates)
    idle, busy = list(slots), []
    while True:
        while idle and time.monotonic() < deadline:
            index = next(waiting, end)
            if index >= end:
                break
            slot = idle.pop()
            candidate = candidates[index]
            text = apply_edits(sources[candidate.path].text, candidate.edits)
            slot.busy_with = index
            slot.send({"kind": "judge", "texts": {candidate.path: text}, "patience": 1.0})
            busy.append(slot)
        if not busy:
            break
        for slot in select.select(busy, [], [], 1.0)[0]:
            busy.remove(slot)
            idle.append(slot)
            records = slot.receive()
            verdicts[slot.busy_with] = records[-1] if records and "passed" in records[-1] else {}
            if verdicts[slot.busy_with].get("passed"):
                end = min(end, slot.busy_with + LOOK_FURTHER + slot.busy_with // 3)
        if len(verdicts) % 100 == 0:
            tell(f"{len(verdicts)} candidates tried")
    return {index: verdict for index, verdict in verdicts.items() if index < end}
