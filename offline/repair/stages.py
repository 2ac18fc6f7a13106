"""The stages of a search in one project, each only when the ones before found nothing.

A syntax error mended; the likeliest changes; parts of a solution, where one was given; changes computed from values;
several of these at once; more changes; those that ran out of time, with more of it; further changes on top of
those that helped; all the rest.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from .changes.combining import combined
from .changes.edits import Bounds, Edit, apply_edits, lies_within
from .changes.ideas import (
    TOO_SLOW,
    computed_changes,
    failing_here_alone,
    likely_changes,
    missing_modules,
    nothing_to_mend,
    passing_of,
    sources_of,
    suspects,
    words_of,
    worth_following,
)
from .changes.mutations import MENDED_SYNTAX
from .changes.syntax import syntax_error, syntax_repairs
from .homework import agreeing, borrow, most_agreed
from .outcome import HintUnusable, Outcome
from .ranking.candidates import Candidate
from .ranking.choice import evidence_for, plausibility
from .ranking.localise import begun_at, rank_statements
from .reading.doctests import DOCTEST_NAME
from .reading.facts import Facts
from .reading.hints import HINT_NAME
from .reading.project import Project
from .reading.source import Source, top_of
from .reading.vocabulary import Vocabulary
from .running.baseline import Baseline, put_aside, put_cured_aside, put_unsteady_aside, take_baseline
from .running.selection import Selection
from .running.slots import Slot
from .running.trials import LOOK_FURTHER, LOOK_SECONDS, Laboratory, Trial

LIKELIEST = 400  # single changes tried before those that are computed from values
PLAIN = 1.3  # how plausible the best that passes must be for the search to end there
FURTHER = 1000  # looked at when it is not
LIKELY = 3000  # single changes tried before further ones on top
SLOW_FIRST, SLOW = 4, 20  # of those that ran out of time, so many are tried again soon, and late
DOUBTFUL = 60  # of those that were judged without what they do at import, so many are judged with it
PATIENCE = 8.0  # times the usual limits, for candidates that ran out of time
PATIENT = 0.1  # of the time that is left, for these
MOST_CHANGES = 3  # on top of each other
ASKING = 0.3  # of the time that is left, for what tests do where nothing is changed
COMPUTING = 0.2  # of the time that is left, for changes that are computed
LEARNING = 0.5  # of the time, for the first run
MOST_PARTS = 60  # of the changes that help as much as the best does
WAITING_SLOTS = 8  # where the tests mostly wait
TOLD_EVERY = 1.0  # seconds: how many were tried, for a search that is ended from outside


class Search:
    """One project, the slots that try its changes, and the best that was found so far."""

    def __init__(
        self,
        project: Project,
        laboratory: Laboratory,
        more_slots: Callable[[int], list[Slot]],
        keep: Callable[[Outcome], None],
        solutions: Sequence[Mapping[str, str]],
        only: Bounds = None,
        first: Mapping[str, Sequence[int]] = {},  # noqa: B006 - never changed
        failing: Sequence[str] = (),
        known: Sequence[str] = (),
    ) -> None:
        self.original = project
        self.first_files = project.files
        self.laboratory = laboratory
        self.more_slots = more_slots
        self.keep = keep
        self.solutions = solutions
        self.solution: Mapping[str, str] = {}
        self.only, self.first, self.failing, self.known = only, first, failing, known
        self.alone: list[str] = []  # tests that fail here alone
        self.tell = laboratory.tell
        self.best = Outcome("not_found")
        self.parts: list[Candidate] = []  # the changes that make as many failing tests pass as the best does
        self.ranks: Mapping[ast.stmt, float] = {}  # how suspicious each statement is, of what was searched last
        self.words = Vocabulary({})  # of the same
        self.told = 0.0  # when the best was kept
        self.places: set[tuple[str, int]] = set()  # path and line of the statements where a change passed

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
        lacking = ", ".join(name for name, module in facts.aside.items() if module)
        aside = f"; not counting {lacking}, which cannot be imported" if lacking else ""
        self.tell(f"{len(facts.failing)} of {len(facts.failing) + len(facts.passing)} tests fail{aside}")
        if not facts.failing:
            return nothing_to_mend(facts)
        self.best = replace(self.best, failing=facts.failing)
        passing = self._search(project, baseline)
        if not passing:
            return self._nearest(sources_of(project))
        evidence = evidence_for(passing, project.files)
        return replace(self.best, status="repaired", passing=passing, evidence=evidence, partial=None)

    def _search(self, project: Project, baseline: Baseline) -> list[Candidate]:
        sources = sources_of(project)
        self.solution = most_agreed(self.solutions, self.laboratory, project)
        candidates = self._closer(self._likely(project, sources, baseline), sources)
        trials = self._likeliest(candidates, project, sources, baseline, LIKELIEST)
        if self.solution:
            found = self._chosen(passing_of(trials), project, sources) or self._borrowed(project, sources)
            if found:
                return found
        if not passing_of(trials):
            trials += self._patiently(trials, SLOW_FIRST, sources)
        if not passing_of(trials):
            anew = self._thoroughly(trials, sources)
            trials += anew
            if not passing_of(anew):
                trials += self._steadily(anew, project, baseline, sources)
        if not passing_of(trials):
            trials += self._try(self._computed(project, sources, baseline), sources)
        if not passing_of(trials):
            needed = set(baseline.facts.failing) - set(baseline.facts.wishes)
            trials += self._try(combined(trials, needed, sources), sources)
        if not passing_of(trials):
            trials += self._likeliest(candidates, project, sources, baseline, LIKELY)
        if not passing_of(trials):
            trials += self._patiently(trials, SLOW, sources)
        if not passing_of(trials):
            more = self._further_changes(trials, sources, MOST_CHANGES)
            if more:
                return more
            self._prepare(project, baseline)
        chosen = self._chosen(passing_of(trials), project, sources)
        if not chosen:
            trials = self._try(candidates, sources)
            chosen = self._chosen(passing_of(trials), project, sources)
        welcome = [trial.candidate for trial in trials if set(trial.fixed) & set(baseline.facts.wishes)]
        return sorted(chosen, key=lambda candidate: candidate not in welcome)

    def _likeliest(
        self,
        candidates: Iterator[Candidate],
        project: Project,
        sources: dict[str, Source],
        baseline: Baseline,
        most: int,
    ) -> list[Trial]:
        """The likeliest changes; one that came near and ran out of time is given more of it before the next, one of
        which only a half was seen is looked at wholly, and one that is a cure but for tests that do otherwise without
        it as well is judged without them. Where such a one passes, a while longer."""
        trials: list[Trial] = []
        until = inf
        while True:
            tried = self._try_until_plain(candidates, sources, most - len(trials), until)
            trials += tried
            near = any(trial.so_far for trial in tried)
            half = [trial for trial in tried if trial.half_seen]
            halted = any(map(self.laboratory.in_the_way, tried))
            if passing_of(tried) or not (near or half or halted):
                return trials
            again = self._patiently(tried, 1, sources) if near else []
            again += self._steadily(tried, project, baseline, sources)
            again += self._thoroughly(half, sources, self.laboratory.after(PATIENT))
            trials += again
            if passing_of(again):
                most, until = min(most, len(trials) + LOOK_FURTHER), min(until, time.monotonic() + LOOK_SECONDS)

    def _patiently(self, trials: list[Trial], most: int, sources: dict[str, Source]) -> list[Trial]:
        """Of those that ran out of time the ones that had helped and then the first, with more of it: how long a test
        takes that broke off early, nobody knows. For a share of the time that is left: where the tests are slow, one
        such change can take as long as hundreds of others."""
        slow = sorted((trial for trial in trials if trial.timed_out), key=lambda trial: -trial.so_far)[:most]
        changes = (trial.candidate for trial in slow)
        return self._try(changes, sources, patience=PATIENCE, until=self.laboratory.after(PATIENT))

    def _thoroughly(self, trials: list[Trial], sources: dict[str, Source], until: float = inf) -> list[Trial]:
        """Of those that run at import too, the ones that helped and then the first, with everything imported anew."""
        doubtful = sorted((trial for trial in trials if trial.doubtful), key=lambda trial: -len(trial.fixed))[:DOUBTFUL]
        for trial in doubtful:
            trial.doubtful = False  # none is looked at twice
        return self._try((trial.candidate for trial in doubtful), sources, thorough=True, until=until)

    def _steadily(
        self, trials: list[Trial], project: Project, baseline: Baseline, sources: dict[str, Source]
    ) -> list[Trial]:
        """Those that tests keep from being the cure, without the tests that do otherwise without a change, too; where
        there are none, with all tests: one may need what another has left, to which the change does not matter."""
        laboratory = self.laboratory
        halted = [trial for trial in trials if laboratory.in_the_way(trial)]
        names = set[str]().union(*map(laboratory.in_the_way, halted))
        unsteady = put_unsteady_aside(laboratory.slots[0], baseline, names, laboratory.after(ASKING))
        laboratory.steady |= names
        if not unsteady:
            return self._try((trial.candidate for trial in halted if trial.broken), sources, whole=True)
        self.tell(f"not counting {', '.join(unsteady[:3])}: without a change they do now what they did not at first")
        self._prepare(project, baseline)
        return self._try((trial.candidate for trial in halted), sources)

    def _borrowed(self, project: Project, sources: dict[str, Source]) -> list[Candidate]:
        found = (borrow(path, sources, self.solution, self.laboratory, project) for path in sources)
        return [one for one in found if one is not None]

    def _chosen(self, passing: list[Candidate], project: Project, sources: dict[str, Source]) -> list[Candidate]:
        """The passing changes in the order of trust; where a solution is given, only those that do what it does."""
        if self.solution:
            passing = agreeing(passing, sources, self.solution, self.laboratory, project)
        return sorted(passing, key=lambda one: -plausibility(one, sources))

    def _further_changes(self, trials: list[Trial], sources: dict[str, Source], left: int) -> list[Candidate]:
        """Changes on top of those that helped without harm, until all tests pass or `left` are on top of each other."""
        firsts = worth_following(trials, sources)
        if firsts:
            self.tell(f"{len(firsts)} changes help a little; looking for another on top")
        for first in firsts:
            if time.monotonic() > self.laboratory.deadline:
                break
            project = replace(self.original, files={**self.original.files, **first.candidate.texts(sources)})
            baseline, above = self._learn(project), sources_of(project)
            look = self._better_after(first, sources, above)
            tried = self._try(self._likely(project, above, baseline), above, look, most=LIKELIEST)
            if not passing_of(tried):
                tried += self._try(self._computed(project, above, baseline), above, look)
            if not passing_of(tried):
                tried += self._try(combined(tried, set(baseline.facts.failing), above), above, look)
            seconds = self._chosen(passing_of(tried), project, above)
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
        baseline = take_baseline(slots, self.laboratory.after(LEARNING), self.failing)
        put_aside(baseline, missing_modules(project, baseline.failures))
        if project is self.original:
            self.alone = failing_here_alone(baseline.facts.failing, self.known)
            if self.alone:
                self.tell(f"not counting {', '.join(self.alone[:3])}: they fail only here, where not all files are")
        put_aside(baseline, dict.fromkeys(self.alone, ""))
        said = [name for name in baseline.facts.failing if HINT_NAME in name or DOCTEST_NAME in name]
        if len(said) < len(baseline.facts.failing):
            baseline.facts.wishes = said
        if cured := put_cured_aside(slots[0], baseline):
            self.tell(f"not counting {', '.join(cured[:3])}: they fail only after others")
        self._prepare(project, baseline)
        return baseline

    def _prepare(self, project: Project, baseline: Baseline) -> None:
        slots, facts = self.laboratory.slots, baseline.facts
        if facts.waits and not slots[0].inline:
            slots += self.more_slots(WAITING_SLOTS - len(slots))
        for slot in slots:
            slot.restart(project, facts, patched=len(facts.on_disk) < len(facts.failing))
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
        passing = passing_of(trials)
        status, message = ("repaired", "") if passing else ("not_found", f"{said}.")
        return Outcome(status, message, passing, 0, suspicious, [said])

    def _likely(self, project: Project, sources: dict[str, Source], baseline: Baseline) -> Iterator[Candidate]:
        """The likely changes; the first time, the suspicious lines are named on the way."""
        ranks = rank_statements(sources, baseline.coverage, baseline.failures.values())
        self.ranks = ranks = begun_at(ranks, sources, self.first)
        if not self.best.suspicious:
            lines, reasons = suspects(ranks, sources, baseline)
            self.best = replace(self.best, suspicious=lines, reasons=reasons)
            self.keep(self.best)
            paths = {path for path, _ in lines}
            self.tell(f"{len(ranks)} suspicious lines, the first of them in {len(paths)} file{'s' * (len(paths) > 1)}")
        self.words = words_of(project, sources, baseline)
        return likely_changes(ranks, self.words, sources)

    def _computed(self, project: Project, sources: dict[str, Source], baseline: Baseline) -> Iterator[Candidate]:
        """The changes computed from values, for a share of the time that is left: their number has no bound."""
        until = self.laboratory.after(COMPUTING)
        return computed_changes(self.laboratory.slots[0], project, sources, baseline, until, self.first)

    def _try_until_plain(
        self,
        candidates: Iterator[Candidate],
        sources: dict[str, Source],
        most: int,
        until: float,
    ) -> list[Trial]:
        """Try so many, and more where the best that passes is not plainly right; none after `until` (of the clock)."""
        trials = self._try(candidates, sources, most=most, until=until, pausing=True)
        if max((plausibility(one, sources) for one in passing_of(trials)), default=PLAIN) < PLAIN:
            trials += self._try(candidates, sources, most=FURTHER, until=until)
        return trials

    def _closer(self, candidates: Iterator[Candidate], sources: dict[str, Source]) -> Iterator[Candidate]:
        """The candidates; from the first that passes on in turns with every other change of the same statement: where
        it is, is known then, and the right one is often among them."""
        given: set[tuple[Edit, ...]] = set()
        beside: Iterator[Candidate] = iter(())
        seen, ranks, words = 0, self.ranks, self.words
        while found := [one for one in (next(beside, None), next(candidates, None)) if one is not None]:
            for one in found:
                if one.edits not in given:
                    given.add(one.edits)
                    yield one
            if len(self.places) > seen:
                seen = len(self.places)
                near = {one: at for one, at in ranks.items() if (top_of(one, sources).path, one.lineno) in self.places}
                beside = likely_changes(near, words, sources)

    def _try(
        self,
        candidates: Iterator[Candidate],
        sources: dict[str, Source],
        look: Callable[[Trial], None] | None = None,
        **options: Any,
    ) -> list[Trial]:
        def hear(trial: Trial) -> None:
            if trial.passed:
                self.places.add((trial.candidate.path, trial.candidate.line))
            look(trial) if look else self._better(trial, trial.candidate)
            if time.monotonic() > self.told + TOLD_EVERY:
                self._keep_best()

        texts = {path: source.text for path, source in sources.items()}
        allowed = (one for one in candidates if lies_within(one.edits, texts, self.only))
        return self.laboratory.try_in_order(allowed, sources, lambda one: one.texts(sources), on_trial=hear, **options)

    def _better(self, trial: Trial, whole: Candidate) -> None:
        """Keep what is better than what was found before: the first that passes, else what passes most."""
        if self.best.status == "repaired" or trial.broken:
            return
        if trial.passed:
            evidence = evidence_for([whole], self.first_files)
            self.best = replace(self.best, status="repaired", passing=[whole], evidence=evidence)
        elif len(trial.fixed) > len(self.best.fixed):
            self.best = replace(self.best, partial=whole, fixed=list(trial.fixed))
            self.parts = [whole]
        else:
            self.parts += [whole] if set(trial.fixed) == set(self.best.fixed) and self.parts else []
            return
        self._keep_best()

    def _nearest(self, sources: dict[str, Source]) -> Outcome:
        """The best where nothing passes: of the changes that make the same tests pass the most plausible one."""
        parts = sorted(self.parts[:MOST_PARTS], key=lambda one: -plausibility(one, sources))
        if not parts or self.best.status == "repaired":
            return self.best
        return replace(self.best, partial=parts[0], evidence=evidence_for(parts, self.first_files))

    def _keep_best(self) -> None:
        self.told = time.monotonic()
        self.keep(replace(self.best, tried=self.laboratory.tried))

    def _better_after(
        self, first: Trial, sources: dict[str, Source], above: dict[str, Source]
    ) -> Callable[[Trial], None]:
        """The same for a second change on top of a first."""

        def look(trial: Trial) -> None:
            if trial.passed and all(self.first_files[path] == one.text for path, one in sources.items()):
                self._better(trial, first.candidate.followed_by(trial.candidate, sources, above))

        return look
