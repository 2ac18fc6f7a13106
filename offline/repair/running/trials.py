"""Trying candidates in the slots, several at a time, with a result that depends on their order and not on the clock."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any

from ..ranking.candidates import MOST, Candidate
from ..reading.project import Project
from ..reading.source import Source
from .judge import ALIKE, FAILING_TESTS_SEEN
from .selection import Selection
from .slots import Slot
from .variants import varied_tests

LOOK_FURTHER = 200  # candidates after the first that passes, and as many as those before it
LOOK_SECONDS = 4.0  # that looking further may take where the tests are slow
SLOW = 0.1  # seconds for each candidate; where it takes less, what is found depends on no clock
TELL_EVERY = 100
BATCH = 8  # candidates that one child judges in a row, fewer where the tests are slow
BATCH_SECONDS = 2.0
NEAR = 0.5  # of the failing tests: one that had made so many (or a dozen) pass when it ran out of time deserves more
OBSERVING = 0.04  # of the time that is left, for comparing what programs do

Behaviour = dict[tuple[int, str], tuple[str, ...]]  # of a program on the varied tests: (variant, test) -> calls and end


@dataclass
class Trial:
    """A candidate and what running the tests for it showed."""

    candidate: Candidate
    passed: bool = False
    fixed: tuple[str, ...] = ()  # failing tests that pass now
    broken: tuple[str, ...] = ()  # passing tests that fail now: of those that were run until enough was known
    advanced: bool = False  # a failing test came further than before
    doubtful: bool = False  # it runs at import too, and what it did there was not seen
    unknown: bool = False  # it passed, but a test that had not ended at first did not end now
    timed_out: bool = False  # past a time limit, or ended the process
    so_far: int = 0  # how many failing tests passed until then

    @property
    def half_seen(self) -> bool:
        """Whether it helped without harm, and what it does at import was not seen."""
        return self.doubtful and bool(self.fixed) and not (self.passed or self.broken)


@dataclass
class Laboratory:
    """The slots, the time there is, and the count of what was tried."""

    slots: list[Slot]
    deadline: float  # nothing is begun after it
    tell: Callable[[str], None]
    tried: int = 0
    best: int = field(default=0)  # the most failing tests that one candidate made pass
    selection: Selection | None = None
    steady: set[str] = field(default_factory=set)  # tests of which is known that they do the same without a change

    def try_in_order(
        self,
        candidates: Iterator[Candidate],
        sources: Mapping[str, Source],
        texts_of: Callable[[Candidate], Mapping[str, str]],
        patience: float = 1.0,
        most: int = MOST,
        further: int = LOOK_FURTHER,
        on_trial: Callable[[Trial], None] = lambda trial: None,
        *,
        thorough: bool = False,
        whole: bool = False,
        pausing: bool = False,
        until: float = inf,
    ) -> list[Trial]:
        """Judge candidates until they run out, time is up, `most` failed, one came near and ran out of time, or a while
        after the first that passes; with `pausing` also after one that was only half seen, or is a cure but for tests
        that may be unsteady.

        That while is a count: `further` and the place of the first. `texts_of` gives a candidate's changed
        files; `patience` multiplies the time limits of the tests; `on_trial` hears of each, as soon as it is judged;
        `thorough`: everything is imported anew for each; `whole`: all tests are run, not those alone that it can matter
        to; nothing is begun after `until` (of the clock).
        """
        trials: list[Trial] = []
        found = False
        end, idle, busy = most, list(self.slots), []
        facts = self.slots[0].facts
        slow = [facts.seconds[name] for name in facts.failing if name in facts.seconds]
        seconds = max(0.001, sum(([one for one in slow if one < ALIKE] or slow)[:FAILING_TESTS_SEEN]))
        size, begun, clocked = max(1, min(BATCH, int(BATCH_SECONDS / seconds))), 0.0, False
        if until < self.deadline:
            size = 1  # a batch that is begun is ended
        until = min(until, self.deadline)
        while True:
            while idle and len(trials) < end and time.monotonic() < until:
                batch = [Trial(candidate) for candidate in islice(candidates, min(size, end - len(trials)))]
                if not batch:
                    end = min(end, len(trials))
                    break
                slot = idle.pop()
                slot.busy_with = range(len(trials), len(trials) + len(batch))
                trials += batch
                several = [trial.candidate for trial in batch]
                changes = [(dict(texts_of(one)), None if whole else self._tests(one, sources)) for one in several]
                slot.send(changes, patience, thorough=thorough)
                busy.append(slot)
            if not busy:
                return trials if clocked else trials[:end]  # the clock decides: what was begun counts, too
            for slot in _ready(busy):
                verdicts = slot.receive()
                if verdicts is None:
                    continue
                busy.remove(slot)
                idle.append(slot)
                for index, verdict in zip(slot.busy_with, verdicts, strict=True):
                    _take_verdict(trials[index], verdict)
                    self._count(trials[index])
                    on_trial(trials[index])
                    begun = begun or time.monotonic()
                    if patience == 1.0 and trials[index].so_far > min(NEAR * len(facts.failing), FAILING_TESTS_SEEN):
                        end = min(end, len(trials))
                    passed = trials[index].passed
                    if passed or (pausing and (trials[index].half_seen or self.in_the_way(trials[index]))):
                        each = (time.monotonic() - begun) / (index + 1)
                        pace = each if index >= BATCH else max(seconds, each)  # the first run was slow: it was watched
                        clocked = pace > SLOW
                        if clocked:
                            until = min(until, time.monotonic() + LOOK_SECONDS)
                        after = index + 1 + further + (index if passed else 0)
                        if passed and not found:
                            end, found = after, True
                        else:
                            end = min(end, after if found else max(len(trials), after))

    def in_the_way(self, trial: Trial) -> set[str]:
        """Tests that keep a change from being the cure, and may do so without it, too: those that it breaks where it
        cures all, and the few that it leaves where it breaks none. Not those of which that was asked before."""
        failing, fixed = {*self.slots[0].facts.failing}, {*trial.fixed}
        if trial.broken:
            return {*trial.broken} - self.steady if failing <= fixed else set()
        return failing - fixed - self.steady if len(fixed) > NEAR * len(failing) else set()

    def observe(self, project: Project, programs: list[dict[str, str]]) -> list[Behaviour]:
        """Run programs (given as changed files) on varied tests, in a share of the time that is left; what each
        does."""
        variants = varied_tests(project.files, project.test_paths)
        behaviours: list[Behaviour] = [{} for _ in programs]
        jobs = [(index, number) for number in range(len(variants)) for index in range(len(programs))]
        idle, busy, begun = list(self.slots), [], 0
        until = self.after(OBSERVING)
        while jobs or busy:
            if time.monotonic() > until:  # what is begun for one program is done for all
                jobs = [one for one in jobs if one[1] <= begun]
            while idle and jobs:
                slot = idle.pop()
                slot.busy_with = index, number = jobs.pop(0)
                begun = number
                slot.observe({**programs[index], **variants[number]})
                busy.append(slot)
            for slot in _ready(busy):
                busy.remove(slot)
                idle.append(slot)
                index, number = slot.busy_with
                for record in slot.observed():
                    if "observed" in record:
                        behaviours[index][number, record["observed"]] = tuple(record["calls"])
        return behaviours

    def after(self, share: float) -> float:
        """When so much of the time that is left will have passed (of the clock)."""
        now = time.monotonic()
        return now + share * (self.deadline - now)

    def _tests(self, candidate: Candidate, sources: Mapping[str, Source]) -> list[int] | None:
        return self.selection and self.selection.tests_for(candidate.edits, sources)

    def _count(self, trial: Trial) -> None:
        self.tried += 1
        self.best = max(self.best, 0 if trial.broken else len(trial.fixed))
        if self.tried % TELL_EVERY == 0:
            failing = len(self.slots[0].facts.failing)
            best = f", best: {self.best} of {failing} failing tests pass" if self.best else ""
            self.tell(f"{self.tried} candidates tried{best}")


def _ready(busy: list[Slot]) -> list[Slot]:
    """Wait until slots have something to say."""
    return [slot for slot in busy if slot.inline] or select.select(busy, [], [])[0]


def _take_verdict(trial: Trial, verdict: dict[str, Any]) -> None:
    if "passed" not in verdict:
        trial.timed_out, trial.so_far = True, verdict.get("so_far", 0)
        return
    trial.passed, trial.broken, trial.fixed = verdict["passed"], tuple(verdict["broken"]), tuple(verdict["fixed"])
    trial.advanced, trial.doubtful = verdict["advanced"], verdict.get("doubtful", False)
    trial.unknown = verdict.get("unknown", False)
