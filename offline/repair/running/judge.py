"""The watch that decides on a candidate: failing tests first, and no longer than it takes to know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..reading.facts import Facts
from ..reading.failures import Failure
from .limits import arm_limit, end_without_verdict

FAILING_TESTS_SEEN = 12  # so many (of the quick ones, if there are any) are run even when all of them still fail
SLOW_TESTS, SLOW_LIMIT = 3, 1.0  # those that had not ended at first: so many are run, for so many seconds each
PATIENT_LIMIT = 2.0  # seconds that a failing test has at least when it is waited for longer than usual
MOST_NAMED = 20  # of the tests that are broken
SLOW = 0.3  # seconds; failing tests that took longer together are enough to know
ALIKE = 0.1  # seconds; tests that differ by less keep their order


class Judge:
    """Failing tests first, stop as soon as the candidate is known to be wrong, then say how far it came."""

    def __init__(
        self,
        facts: Facts,
        patience: float,
        report: Callable[[dict[str, Any]], None],
        tests: list[int] | None = None,
        aside: Collection[str] = (),
        files: Sequence[str] = (),
        *,
        doubtful: bool = False,
        slow_too: bool = False,
    ) -> None:
        """`tests` are places in `facts.passing`: those that the change can matter to; None for all. `aside` are failing
        tests that say nothing here. `files`: test files to look into (none: all). `doubtful` goes into what is
        reported. `slow_too`: where all else passes, that is reported as provisional, and then those are run that had
        not ended at first: one may end this process."""
        self.facts = facts
        self.patience = patience
        self.report = report
        self.doubtful = doubtful
        self.slow = facts.slow[:SLOW_TESTS] if slow_too else []
        self.stop, self.files = False, files
        self.known_good = set(facts.passing)
        self.failing, self.aside = set(facts.failing), {*facts.aside, *facts.slow, *aside}
        self.needed = self.known_good if tests is None else {facts.passing[place] for place in tests}
        self.enough = FAILING_TESTS_SEEN
        self.waiting = 0  # failing tests that have not run yet
        self.fixed: list[str] = []
        self.unfixed: list[str] = []
        self.broken: list[str] = []
        self.advanced = False  # a failing test came further than before
        self.told = 0  # of those that are fixed, should the next test end this process
        self._limit(facts.import_limit)

    def order(self, names: list[str]) -> list[str]:
        """Tests that failed (or were never seen) first, the quick before the slow; then the others in their order, as
        some need it. One that is gone is broken."""
        first = [name for name in names if name not in self.known_good and self._counts(name)]
        first.sort(key=lambda name: int(self.facts.seconds.get(name, 0.0) / ALIKE))
        self.waiting = len(first)
        quick = sum(self.facts.seconds.get(name, 0.0) < ALIKE for name in first)
        self.enough = min(quick or self.enough, self.enough)
        self.broken += sorted(self.needed - set(names))
        self._decide()
        return first + [name for name in names if name in self.needed] + [name for name in self.slow if name in names]

    def started(self, name: str) -> None:
        """Arm the test's time limit: a test that runs past it takes this whole process with it."""
        if name in self.slow:
            if name == self.slow[0]:
                self.report({"provisional": self._verdict()})
            self._limit(SLOW_LIMIT / self.patience)
            return
        if len(self.fixed) > self.told and not self.broken:
            self.told = len(self.fixed)
            self.report({"so_far": self.told})
        seconds = self.facts.limit_of(name)
        if self.patience > 1 and name not in self.known_good:  # it may have failed before what takes its time
            seconds = max(seconds, PATIENT_LIMIT / self.patience)
        self._limit(seconds, self.facts.still_of(name))

    def finished(self, name: str, failure: Failure | None) -> None:
        """Count the test."""
        self._limit(0)
        if failure and failure.text.startswith(MemoryError.__name__) and self.patience == 1:
            self.report({"so_far": 0 if self.broken else len(self.fixed)})
            end_without_verdict()
        if name in self.slow:
            self.broken += [name] if failure else []
            return
        if name in self.aside:
            return
        if name in self.known_good:
            self.broken += [name] if failure else []
        else:
            self.waiting -= 1
            (self.unfixed if failure else self.fixed).append(name)
            self.advanced |= failure is not None and failure.depth > self.facts.depths.get(name, failure.depth)
        self._decide()

    def done(self) -> None:
        """Say how far the candidate came."""
        self._limit(0)
        self.report(self._verdict())

    def _verdict(self) -> dict[str, Any]:
        wishes = set(self.facts.wishes)
        missed = self.broken or set(self.unfixed) - wishes or self.waiting > 0
        passed = not missed and bool(set(self.fixed) - wishes)
        verdict = {"fixed": self.fixed, "broken": self.broken[:MOST_NAMED], "advanced": self.advanced}
        return {"passed": passed, **verdict, "doubtful": self.doubtful}

    def _counts(self, name: str) -> bool:
        return name not in self.aside and (name in self.failing or not self.facts.cut)

    def _decide(self) -> None:
        slow = sum(self.facts.seconds.get(name, 0.0) for name in self.unfixed) > SLOW
        seen = self.waiting <= 0 or slow or len(self.unfixed) >= self.enough
        self.stop = bool(self.broken or (seen and self.unfixed and not self.fixed and not self.advanced))

    def _limit(self, seconds: float, still: float | None = None) -> None:
        arm_limit(seconds * self.patience, still and still * self.patience)
