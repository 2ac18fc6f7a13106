"""The search itself, inside the sandboxed child: run, localise, try changes in order, choose among those that pass.

Stages, each only when the one before found nothing: a syntax error mended; one change; one change with more time for
the tests; a second change on top of one that helped.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .baseline import Baseline, take_baseline
from .candidates import Candidate, make_candidates, worth_trying
from .choice import in_order_of_trust
from .edits import apply_edits
from .facts import Facts
from .hints import HINT_NAME, with_hint
from .inline import InlineSlot, can_fork
from .localise import rank_statements
from .mutations import MENDED_SYNTAX
from .project import Project, read_project
from .slots import Slot
from .source import Source, top_of
from .symptoms import boosts
from .syntax import syntax_error, syntax_repairs
from .trials import Laboratory, Trial
from .vocabulary import Vocabulary

SLOTS = 2
LIKELY = 3000  # single changes tried before pairs
SLOW = 20  # of those that ran out of time, so many are tried again
PATIENCE = 8.0  # times the usual limits, for candidates that ran out of time
SECOND_CHANGES = 250  # tried on top of each helpful first change
FIRST_CHANGES = 24  # helpful first changes that are followed


@dataclass
class Outcome:
    """What the search found; `passing` holds the candidates that make all tests pass, the chosen one first."""

    status: str
    message: str = ""
    passing: list[Candidate] = field(default_factory=list)
    tried: int = 0
    suspicious: list[tuple[str, int]] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)


def search(files: dict[str, str], hint: str, place: Path, seconds: float, tell: Callable[[str], None]) -> Outcome:
    """Look for the change of the program that makes all tests pass. `place` is a folder to work in.

    `hint` is what the user said; a claim in it becomes one more test, when it can be understood and is not met.
    """
    plain = read_project(files)
    told = with_hint(files, hint, plain)
    if told is not None:
        outcome = _search_project(read_project(told), place, seconds, tell)
        if outcome is not None:
            return outcome
        tell("what you said about results could not be made a test here")
    return _search_project(plain, place, seconds, tell) or Outcome("failed")


def _search_project(project: Project, place: Path, seconds: float, tell: Callable[[str], None]) -> Outcome | None:
    """Search one project. None when the test made from the user's words cannot be run."""
    unusable = _reason_not_to_search(project)
    if unusable is not None:
        return unusable
    if project.framework == "pytest":
        importlib.import_module("pytest")  # once here, so that the slots are forked with it
    if can_fork():
        slots: list[Any] = [Slot(project, place / f"slot{number}") for number in range(SLOTS)]
    else:
        tell("this system does not let processes fork: the search is slower")
        slots = [InlineSlot(project, place / "slot0")]
    laboratory = Laboratory(slots, time.monotonic() + seconds, tell)
    try:
        outcome = _Search(project, laboratory).run()
    except HintUnusable:
        return None
    finally:
        for slot in slots:
            slot.close()
    return replace(outcome, tried=laboratory.tried)


def _reason_not_to_search(project: Project) -> Outcome | None:
    if project.framework == "none":
        return Outcome("no_tests", "There are no tests among the files, so nothing says what right would be.")
    for path in project.test_paths:
        error = syntax_error(project.files[path])
        if error is not None:
            message = f"The tests in {path} have a syntax error in line {error.lineno}: {error.msg}."
            return Outcome("cannot_import", f"{message} Tests are never edited.")
    if not project.program_paths:
        return Outcome("not_found", "Only tests are among the files, and tests are never edited.")
    return None


class HintUnusable(Exception):
    """The test made from the user's words fails in itself."""


class _Search:
    def __init__(self, project: Project, laboratory: Laboratory) -> None:
        self.original = project
        self.laboratory = laboratory
        self.tell = laboratory.tell
        self.suspicious: list[tuple[str, int]] = []

    def run(self) -> Outcome:
        """All stages."""
        project = self.original
        broken = [path for path in project.program_paths if syntax_error(project.files[path])]
        if broken:
            return self._mend_syntax(broken[0])
        baseline = self._learn(project)
        facts = baseline.facts
        said = [name for name in facts.failing if HINT_NAME in name]
        if any(not baseline.failures[name].text.startswith("AssertionError") for name in said):
            raise HintUnusable
        self.tell(f"{len(facts.failing)} of {len(facts.failing) + len(facts.passing)} tests fail")
        if not facts.failing:
            found = (
                ("nothing_to_fix", "All tests pass.") if facts.passing else ("no_tests", "No test was found to run.")
            )
            return Outcome(*found)
        missing = _missing_module(project, baseline)
        if missing is not None:
            message = f"The tests cannot be imported: there is no module named {missing!r} among the files."
            return Outcome("cannot_import", message, failing=facts.failing)
        passing = self._search(project, baseline)
        return Outcome("repaired" if passing else "not_found", "", passing, 0, self.suspicious, facts.failing)

    def _learn(self, project: Project) -> Baseline:
        """Run everything once, and give all slots what it taught."""
        slots = self.laboratory.slots
        if project is not self.original:
            for slot in slots:
                slot.restart(project, Facts(), patched=False)
        baseline = take_baseline(slots[0])
        said = [name for name in baseline.facts.failing if HINT_NAME in name]
        if len(said) < len(baseline.facts.failing):
            baseline.facts.wishes = said
        self._prepare(project, baseline)
        return baseline

    def _prepare(self, project: Project, baseline: Baseline) -> None:
        for slot in self.laboratory.slots:
            slot.restart(project, baseline.facts, patched=not _reads_its_own_text(project))

    def _search(self, project: Project, baseline: Baseline) -> list[Candidate]:
        """The likeliest changes, those of them that ran out of time with more of it, two changes, all other changes."""
        sources = _sources(project)
        candidates = self._candidates(project, sources, baseline)
        trials = self._try(candidates, sources, most=LIKELY)
        if not _passing(trials):
            slow = [trial.candidate for trial in trials if trial.timed_out][:SLOW]
            trials += self._try(iter(slow), sources, patience=PATIENCE)
        if not _passing(trials):
            both = self._second_changes(trials, sources)
            if both:
                return both
            self._prepare(project, baseline)
            trials = self._try(candidates, sources)
        passing = in_order_of_trust(_passing(trials), sources, self.laboratory, project)
        welcome = [trial.candidate for trial in trials if set(trial.fixed) & set(baseline.facts.wishes)]
        return sorted(passing, key=lambda candidate: candidate not in welcome)

    def _second_changes(self, trials: list[Trial], sources: dict[str, Source]) -> list[Candidate]:
        """A second change on top of each first one that helped without harm."""
        helpful = [trial for trial in trials if (trial.fixed or trial.advanced) and not trial.broken]
        helpful.sort(key=lambda trial: -len(trial.fixed))
        if helpful:
            self.tell(f"{len(helpful)} changes help a little; looking for a second one")
        for first in helpful[:FIRST_CHANGES]:
            if time.monotonic() > self.laboratory.deadline:
                break
            project = replace(self.original, files={**self.original.files, **first.candidate.texts(sources)})
            baseline, above = self._learn(project), _sources(project)
            trials = self._try(self._candidates(project, above, baseline), above, most=SECOND_CHANGES)
            passing = in_order_of_trust(_passing(trials), above, self.laboratory, project)
            if passing:
                return [first.candidate.followed_by(second, sources, above) for second in passing]
        return []

    def _mend_syntax(self, path: str) -> Outcome:
        """Edits near the place of a syntax error, the first that makes all tests pass."""
        text = self.original.files[path]
        error = syntax_error(text)
        said = f"{path} has a syntax error in line {error and error.lineno}: {error and error.msg}"
        self.tell(said)
        candidates = (Candidate((edit,), MENDED_SYNTAX, 0, 1.0) for edit in syntax_repairs(path, text))
        trials = self.laboratory.try_in_order(
            candidates, lambda one: {path: apply_edits(text, one.edits)}, patience=PATIENCE, most=1500, further=12
        )
        passing = _passing(trials)
        suspicious = [(path, (error and error.lineno) or 1)]
        return Outcome("repaired" if passing else "not_found", "" if passing else f"{said}.", passing, 0, suspicious)

    def _candidates(self, project: Project, sources: dict[str, Source], baseline: Baseline) -> Iterator[Candidate]:
        crashes = [failure.crash for failure in baseline.failures.values() if failure.crash]
        ranks = rank_statements(sources, baseline.coverage, crashes)
        if not self.suspicious:
            by_rank = sorted(ranks.items(), key=lambda pair: -pair[1])
            self.suspicious = [(top_of(one, sources).path, one.lineno) for one, _ in by_rank]
            paths = {path for path, _ in self.suspicious}
            self.tell(f"{len(self.suspicious)} suspicious lines in {len(paths)} file{'s' * (len(paths) > 1)}")
        words = Vocabulary(sources, [ast.parse(project.files[path]) for path in project.test_paths])
        factors = boosts(failure.text for failure in baseline.failures.values())
        return worth_trying(make_candidates(sources, ranks, words, factors), sources)

    def _try(self, candidates: Iterator[Candidate], sources: dict[str, Source], **options: float) -> list[Trial]:
        return self.laboratory.try_in_order(candidates, lambda one: one.texts(sources), **options)


def _sources(project: Project) -> dict[str, Source]:
    return {path: Source(path, project.files[path]) for path in project.program_paths}


def _passing(trials: list[Trial]) -> list[Candidate]:
    return [trial.candidate for trial in trials if trial.passed]


def _missing_module(project: Project, baseline: Baseline) -> str | None:
    """A module that the tests import, that is nowhere, and of which the program knows nothing; nothing runs without."""
    if baseline.facts.passing:
        return None
    for failure in baseline.failures.values():
        match = re.search(r"No module named '([\w.]+)'", failure.text)
        if match and not any(match.group(1) in project.files[path] for path in project.program_paths):
            return match.group(1)
    return None


def _reads_its_own_text(project: Project) -> bool:
    """Whether a run depends on the files on disk and not only on the functions in memory."""
    return any(
        word in text for text in project.files.values() for word in ("subprocess", "runpy", "inspect.", "__file__")
    )
