"""The search itself, inside the sandboxed child: run, localise, try changes in order, choose among those that pass.

Stages, each only when the one before found nothing: a syntax error mended; one change; one change with more time for
the tests; a second change on top of one that helped.
"""

from __future__ import annotations

import ast
import importlib
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from .baseline import Baseline, take_baseline
from .candidates import MOST, Candidate, make_candidates, worth_trying
from .choice import in_order_of_trust
from .doctests import DOCTEST_NAME, with_examples, with_scripts
from .edits import apply_edits
from .examples import read_examples
from .facts import Facts
from .hints import HINT_NAME, with_hint
from .inline import InlineSlot, can_fork
from .localise import Spectrum, rank_statements, reason
from .mutations import MENDED_SYNTAX
from .project import Project, read_project
from .selection import Selection
from .shapes import function_of
from .slots import Slot
from .snapshots import read_hits
from .source import Source, top_of
from .symptoms import boosts
from .syntax import syntax_error, syntax_repairs
from .synthesis import synthesise
from .trials import Laboratory, Trial
from .vocabulary import Vocabulary

LEAST_SLOTS, MOST_SLOTS = 2, 4  # as many as there are cores
WAITING_SLOTS = 8  # where the tests mostly wait
LIKELIEST = 400  # single changes tried before those that are computed from values
LOOKED_AT = 60  # lines
LIKELY = 3000  # single changes tried before pairs
SLOW = 20  # of those that ran out of time, so many are tried again
COMPUTED = 600  # changes that are computed
PATIENCE = 8.0  # times the usual limits, for candidates that ran out of time
MOST_SUSPICIOUS = 200  # named
SECOND_CHANGES = 250  # tried on top of each helpful first change
FIRST_CHANGES = 24  # helpful first changes that are followed
LEARNING = 0.5  # of the time, for the first run
TRYING = 0.9  # of the time; the rest is for what is under way and for choosing


@dataclass
class Outcome:
    """What the search found; `passing` holds the candidates that make all tests pass, the chosen one first."""

    status: str
    message: str = ""
    passing: list[Candidate] = field(default_factory=list)
    tried: int = 0
    suspicious: list[tuple[str, int]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)  # why, for the first of them
    partial: Candidate | None = None  # where nothing passes: what makes most failing tests pass and breaks none
    fixed: list[str] = field(default_factory=list)  # the tests that it makes pass
    failing: list[str] = field(default_factory=list)


Tell = Callable[[str], None]
Keep = Callable[[Outcome], None]


def search(
    files: dict[str, str], hint: str, place: Path, end: float, tell: Tell, keep: Keep = lambda outcome: None
) -> Outcome:
    """Look for the change of the program that makes all tests pass, until `end` (of the clock).

    `place` is a folder to work in. `hint` is what the user said; a claim in it becomes one more test, when it can be
    understood and is not met. `keep` gets the best outcome so far whenever it gets better.
    """
    given = read_project(files)
    plain = read_project(with_examples(files, given) or files)
    told = with_hint(dict(plain.files), hint, plain)
    if told is not None:
        outcome = _search_project(read_project(told), place, end, tell, keep)
        if outcome is not None:
            return outcome
        tell("what you said about results could not be made a test here")
    if plain.framework != "none":
        return _search_project(plain, place, end, tell, keep) or Outcome("failed")
    return _search_script(plain, place, end, tell, keep)


def _search_script(project: Project, place: Path, end: float, tell: Tell, keep: Keep) -> Outcome:
    """Without any tests a script that ends with an error can still be seen to."""
    told = with_scripts(project.files, project)
    outcome = _search_project(read_project(told), place, end, tell, keep) if told else None
    return _no_tests() if outcome is None or outcome.status in ("nothing_to_fix", "no_tests") else outcome


def _no_tests() -> Outcome:
    return Outcome("no_tests", "There are no tests among the files, so nothing says what right would be.")


def _search_project(project: Project, place: Path, end: float, tell: Tell, keep: Keep) -> Outcome | None:
    """Search one project. None when the test made from the user's words cannot be run."""
    unusable = _reason_not_to_search(project)
    if unusable is not None:
        return unusable
    if project.framework == "pytest":
        importlib.import_module("pytest")  # once here, so that the slots are forked with it
    if can_fork():
        slots: list[Any] = [Slot(project, place / f"slot{number}", end) for number in range(_cores())]
    else:
        tell("this system does not let processes fork: the search is slower")
        slots = [InlineSlot(project, place / "slot0", end)]
    now = time.monotonic()
    laboratory = Laboratory(slots, now + TRYING * (end - now), tell)
    search = _Search(project, laboratory, place, end, keep)
    try:
        outcome = search.run()
    except HintUnusable:
        return None
    finally:
        for slot in slots:
            slot.close()
    return replace(outcome, tried=laboratory.tried)


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


class HintUnusable(Exception):
    """The test made from the user's words fails in itself."""


class _Search:
    def __init__(self, project: Project, laboratory: Laboratory, place: Path, end: float, keep: Keep) -> None:
        self.original = project
        self.laboratory = laboratory
        self.place = place
        self.end = end
        self.keep = keep
        self.tell = laboratory.tell
        self.best = Outcome("not_found")

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
        self.best = replace(self.best, failing=facts.failing)
        passing = self._search(project, baseline)
        return replace(self.best, status="repaired", passing=passing, partial=None) if passing else self.best

    def _learn(self, project: Project) -> Baseline:
        """Run everything once, and give all slots what it taught."""
        slots = self.laboratory.slots
        if project is not self.original:
            for slot in slots:
                slot.restart(project, Facts(), patched=False)
        now = time.monotonic()
        baseline = take_baseline(slots[0], now + LEARNING * (self.laboratory.deadline - now))
        said = [name for name in baseline.facts.failing if HINT_NAME in name or DOCTEST_NAME in name]
        if len(said) < len(baseline.facts.failing):
            baseline.facts.wishes = said
        self._prepare(project, baseline)
        return baseline

    def _prepare(self, project: Project, baseline: Baseline) -> None:
        slots, facts = self.laboratory.slots, baseline.facts
        if facts.waits and not slots[0].inline:
            while len(slots) < WAITING_SLOTS:
                slots.append(Slot(project, self.place / f"slot{len(slots)}", self.end))
        for slot in slots:
            slot.restart(project, facts, patched=not _reads_its_own_text(project, baseline))
        self.laboratory.selection = Selection(baseline.coverage, facts.passing)

    def _search(self, project: Project, baseline: Baseline) -> list[Candidate]:
        """The likeliest changes, those of them that ran out of time with more of it, two changes, all other changes."""
        sources = _sources(project)
        candidates = self._candidates(project, sources, baseline)
        trials = self._try(candidates, sources, most=LIKELIEST)
        if not _passing(trials):
            trials += self._try(self._computed(project, sources, baseline), sources)
        if not _passing(trials):
            trials += self._try(candidates, sources, most=LIKELY)
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
            second = self._candidates(project, above, baseline)
            trials = self._try(second, above, most=SECOND_CHANGES, on_trial=self._better_after(first, sources, above))
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
            candidates, {}, lambda one: {path: apply_edits(text, one.edits)}, patience=PATIENCE, most=1500, further=12
        )
        passing = _passing(trials)
        suspicious = [(path, (error and error.lineno) or 1)]
        status, message = ("repaired", "") if passing else ("not_found", f"{said}.")
        return Outcome(status, message, passing, 0, suspicious, [said])

    def _candidates(self, project: Project, sources: dict[str, Source], baseline: Baseline) -> Iterator[Candidate]:
        failures = baseline.failures.values()
        ranks = rank_statements(sources, baseline.coverage, failures)
        if not self.best.suspicious:
            self._name_suspects(ranks, sources, baseline)
        words = Vocabulary(sources, [ast.parse(project.files[path]) for path in project.test_paths])
        factors = boosts(failure.text for failure in failures)
        return islice(worth_trying(make_candidates(sources, ranks, words, factors), sources), MOST)

    def _computed(self, project: Project, sources: dict[str, Source], baseline: Baseline) -> Iterator[Candidate]:
        """Changes computed from the values at the most suspicious lines, none twice."""
        ranks = rank_statements(sources, baseline.coverage, baseline.failures.values())
        chosen = sorted((one for one in ranks if function_of(one)), key=lambda one: -ranks[one])[:LOOKED_AT]
        lines: dict[str, list[int]] = {}
        for one in chosen:
            lines.setdefault(top_of(one, sources).path, []).append(one.lineno)
        tests = {path: ast.parse(project.files[path]) for path in project.test_paths}
        examples = {path: read_examples(tree) for path, tree in tests.items()}
        hits = read_hits(self.laboratory.slots[0].snapshot(lines), examples)
        words = Vocabulary(sources, tests.values())
        made = synthesise({one: ranks[one] for one in chosen}, words, hits)
        return worth_trying(islice(made, COMPUTED), sources)

    def _name_suspects(self, ranks: dict[ast.stmt, float], sources: dict[str, Source], baseline: Baseline) -> None:
        by_rank = [one for one, _ in sorted(ranks.items(), key=lambda pair: -pair[1])][:MOST_SUSPICIOUS]
        homes = [top_of(one, sources) for one in by_rank]
        spectrum, failures = Spectrum(baseline.coverage), list(baseline.failures.values())
        lines = [(home.path, one.lineno) for one, home in zip(by_rank, homes, strict=True)]
        reasons = [reason(one, home, spectrum, failures) for one, home in zip(by_rank[:5], homes, strict=False)]
        self.best = replace(self.best, suspicious=lines, reasons=reasons)
        self.keep(self.best)
        paths = {path for path, _ in lines}
        self.tell(f"{len(ranks)} suspicious lines, the first of them in {len(paths)} file{'s' * (len(paths) > 1)}")

    def _try(self, candidates: Iterator[Candidate], sources: dict[str, Source], **options: Any) -> list[Trial]:
        options.setdefault("on_trial", lambda trial: self._better(trial, trial.candidate))
        return self.laboratory.try_in_order(candidates, sources, lambda one: one.texts(sources), **options)

    def _better(self, trial: Trial, whole: Candidate) -> None:
        """Keep what is better than what was found before: the first that passes, else what passes most."""
        if self.best.status == "repaired" or trial.broken:
            return
        if trial.passed:
            self.best = replace(self.best, status="repaired", passing=[whole])
        elif len(trial.fixed) > len(self.best.fixed):
            self.best = replace(self.best, partial=whole, fixed=list(trial.fixed))
        else:
            return
        self.keep(replace(self.best, tried=self.laboratory.tried))

    def _better_after(
        self, first: Trial, sources: dict[str, Source], above: dict[str, Source]
    ) -> Callable[[Trial], None]:
        """The same for a second change on top of a first."""

        def look(trial: Trial) -> None:
            if trial.passed:
                self._better(trial, first.candidate.followed_by(trial.candidate, sources, above))

        return look


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


def _reads_its_own_text(project: Project, baseline: Baseline) -> bool:
    """Whether a failing test may depend on the files on disk and not only on the functions in memory."""
    ran = {path for path, _ in baseline.coverage.imported}
    tests = [path for path in project.test_paths if any(PurePosixPath(path).stem in name for name in baseline.failures)]
    words = ("subprocess", "runpy", "getsource", "__file__")
    return any(word in project.files[path] for path in [*ran, *tests] for word in words)
