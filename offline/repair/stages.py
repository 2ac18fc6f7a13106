"""The stages of a search in one project, each only when the ones before found nothing.

A syntax error mended; the likeliest changes; changes computed from values; several of these at once; parts of a
solution, where one was given; more changes; those that ran out of time, with more of it; further changes on top of
those that helped; all the rest.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from .baseline import Baseline, take_baseline
from .candidates import MOST, Candidate, make_candidates, worth_trying
from .choice import in_order_of_trust, plausibility
from .combining import combined
from .doctests import DOCTEST_NAME
from .edits import apply_edits
from .examples import read_examples
from .facts import Facts
from .hints import HINT_NAME
from .homework import agreeing, borrow
from .localise import Spectrum, rank_statements, reason
from .mutations import MENDED_SYNTAX
from .project import Project
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

TOO_SLOW = "The tests had not ended when the time for them was up, so there was none left to try changes."
LIKELIEST = 400  # single changes tried before those that are computed from values
LOOKED_AT = 60  # lines whose values are looked at
COMPUTED = 600  # changes that are computed
LIKELY = 3000  # single changes tried before further ones on top
SLOW = 20  # of those that ran out of time, so many are tried again
PATIENCE = 8.0  # times the usual limits, for candidates that ran out of time
FIRST_CHANGES = 16  # helpful first changes that are followed
ALIKE = 2  # of those that make the same tests pass
MOST_CHANGES = 3  # on top of each other
LEARNING = 0.5  # of the time, for the first run
MOST_SUSPICIOUS = 200  # lines named
WAITING_SLOTS = 8  # where the tests mostly wait


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


class HintUnusable(Exception):
    """The test made from the user's words fails in itself."""


class Search:
    """One project, the slots that try its changes, and the best that was found so far."""

    def __init__(
        self,
        project: Project,
        laboratory: Laboratory,
        more_slots: Callable[[int], list[Slot]],
        keep: Callable[[Outcome], None],
        solution: Mapping[str, str],
    ) -> None:
        self.original = project
        self.first_files = project.files
        self.laboratory = laboratory
        self.more_slots = more_slots
        self.keep = keep
        self.solution = solution
        self.tell = laboratory.tell
        self.best = Outcome("not_found")

    def run(self) -> Outcome:
        """All stages."""
        project = self.original
        broken = [path for path in project.program_paths if syntax_error(project.files[path])]
        if broken:
            return self._mend_syntax(broken[0])
        self.keep(Outcome("not_found", TOO_SLOW))
        baseline = self._learn(project)
        facts = baseline.facts
        said = [name for name in facts.failing if HINT_NAME in name]
        if any(not baseline.failures[name].text.startswith("AssertionError") for name in said):
            raise HintUnusable
        self.tell(f"{len(facts.failing)} of {len(facts.failing) + len(facts.passing)} tests fail")
        if not facts.failing:
            return Outcome("nothing_to_fix", "All tests pass.") if facts.passing else _nothing_ran(facts)
        missing = _missing_module(project, baseline)
        if missing is not None:
            message = f"The tests cannot be imported: there is no module named {missing!r} among the files."
            return Outcome("cannot_import", message, failing=facts.failing)
        self.best = replace(self.best, failing=facts.failing)
        passing = self._search(project, baseline)
        return replace(self.best, status="repaired", passing=passing, partial=None) if passing else self.best

    def _search(self, project: Project, baseline: Baseline) -> list[Candidate]:
        sources = _sources(project)
        candidates = self._candidates(project, sources, baseline)
        trials = self._try(candidates, sources, most=LIKELIEST)
        if not _passing(trials):
            trials += self._try(self._computed(project, sources, baseline), sources)
        if not _passing(trials):
            needed = set(baseline.facts.failing) - set(baseline.facts.wishes)
            trials += self._try(combined(trials, needed, sources), sources)
        if self.solution:
            small = self._chosen(_passing(trials), project, sources)
            return small or self._borrowed(sources)
        if not _passing(trials):
            trials += self._try(candidates, sources, most=LIKELY)
        if not _passing(trials):
            slow = [trial.candidate for trial in trials if trial.timed_out][:SLOW]
            trials += self._try(iter(slow), sources, patience=PATIENCE)
        if not _passing(trials):
            more = self._further_changes(trials, sources, MOST_CHANGES)
            if more:
                return more
            self._prepare(project, baseline)
        chosen = self._chosen(_passing(trials), project, sources)
        if not chosen:
            trials = self._try(candidates, sources)
            chosen = self._chosen(_passing(trials), project, sources)
        welcome = [trial.candidate for trial in trials if set(trial.fixed) & set(baseline.facts.wishes)]
        return sorted(chosen, key=lambda candidate: candidate not in welcome)

    def _borrowed(self, sources: dict[str, Source]) -> list[Candidate]:
        found = (borrow(path, sources, self.solution, self.laboratory) for path in sources)
        return [one for one in found if one is not None]

    def _chosen(self, passing: list[Candidate], project: Project, sources: dict[str, Source]) -> list[Candidate]:
        """The passing changes in the order of trust; where a solution is given, only those that do what it does."""
        if self.solution:
            passing = agreeing(passing, sources, self.solution, self.laboratory, project)
        return in_order_of_trust(passing, sources, self.laboratory, project)

    def _further_changes(self, trials: list[Trial], sources: dict[str, Source], left: int) -> list[Candidate]:
        """Changes on top of those that helped without harm, until all tests pass or `left` are on top of each other."""
        firsts = _worth_following(trials, sources)
        if firsts:
            self.tell(f"{len(firsts)} changes help a little; looking for another on top")
        for first in firsts:
            if time.monotonic() > self.laboratory.deadline:
                break
            project = replace(self.original, files={**self.original.files, **first.candidate.texts(sources)})
            baseline, above = self._learn(project), _sources(project)
            look = self._better_after(first, sources, above)
            tried = self._try(self._candidates(project, above, baseline), above, most=LIKELIEST, on_trial=look)
            if not _passing(tried):
                tried += self._try(self._computed(project, above, baseline), above, on_trial=look)
            if not _passing(tried):
                tried += self._try(combined(tried, set(baseline.facts.failing), above), above, on_trial=look)
            seconds = self._chosen(_passing(tried), project, above)
            if not seconds and left > 2 and any(trial.fixed for trial in tried):
                seconds = self._with_original(project, lambda: self._further_changes(tried, above, left - 1))  # noqa: B023
            if seconds:
                return [first.candidate.followed_by(second, sources, above) for second in seconds]
        return []

    def _with_original(self, project: Project, work: Callable[[], list[Candidate]]) -> list[Candidate]:
        """Do some work as if a changed project were the one to repair."""
        before, self.original = self.original, project
        try:
            return work()
        finally:
            self.original = before

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
            slots += self.more_slots(WAITING_SLOTS - len(slots))
        for slot in slots:
            slot.restart(project, facts, patched=not _reads_its_own_text(project, baseline))
        self.laboratory.selection = Selection(baseline.coverage, facts.passing)

    def _mend_syntax(self, path: str) -> Outcome:
        """Edits near the place of a syntax error, the first that makes all tests pass."""
        text = self.original.files[path]
        error = syntax_error(text)
        said = f"{path} has a syntax error in line {error and error.lineno}: {error and error.msg}"
        self.tell(said)
        suspicious = [(path, (error and error.lineno) or 1)]
        self.keep(Outcome("not_found", f"{said}.", [], 0, suspicious, [said]))
        candidates = (Candidate((edit,), MENDED_SYNTAX, 0, 1.0) for edit in syntax_repairs(path, text))
        trials = self.laboratory.try_in_order(
            candidates, {}, lambda one: {path: apply_edits(text, one.edits)}, patience=PATIENCE, most=1500, further=12
        )
        passing = _passing(trials)
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
        headers = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        order = sorted(ranks, key=lambda one: (-ranks[one], isinstance(one, headers)))
        by_rank = order[:MOST_SUSPICIOUS]
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
            if trial.passed and all(self.first_files[path] == one.text for path, one in sources.items()):
                self._better(trial, first.candidate.followed_by(trial.candidate, sources, above))

        return look


def _worth_following(trials: list[Trial], sources: dict[str, Source]) -> list[Trial]:
    """Changes that helped and broke nothing: most tests first, the likeliest of those that make the same ones pass."""
    helpful = [trial for trial in trials if (trial.fixed or trial.advanced) and not trial.broken]
    helpful.sort(key=lambda trial: (-len(trial.fixed), -plausibility(trial.candidate, sources)))
    kept: list[Trial] = []
    for trial in helpful:
        if sum(set(one.fixed) == set(trial.fixed) for one in kept) < ALIKE * (1 if trial.fixed else 4):
            kept.append(trial)
    return kept[:FIRST_CHANGES]


def _sources(project: Project) -> dict[str, Source]:
    return {path: Source(path, project.files[path]) for path in project.program_paths}


def _passing(trials: list[Trial]) -> list[Candidate]:
    return [trial.candidate for trial in trials if trial.passed]


def _nothing_ran(facts: Facts) -> Outcome:
    if facts.cut:
        return Outcome("not_found", TOO_SLOW)
    return Outcome("no_tests", "No test was found to run.")


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
