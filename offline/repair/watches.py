"""The two ways of looking at a test run: `Tracer` records what each test executes, `Judge` decides on a candidate."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from .failures import Failure

TIMERS = hasattr(signal, "setitimer")
FAILING_TESTS_SEEN = 5  # of the failing tests, so many are run even when the first still fails


@dataclass
class Facts:
    """What the first run taught: which tests failed, and how long each may take (seconds of processor time)."""

    failing: list[str] = field(default_factory=list)
    passing: list[str] = field(default_factory=list)
    wishes: list[str] = field(default_factory=list)  # failing tests that should pass but need not (the user's words)
    limits: dict[str, float] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)  # how far each failing test came
    default_limit: float = 1.0  # for tests without a limit of their own
    import_limit: float = 1.0
    imported: dict[str, list[int]] = field(default_factory=dict)  # path -> lines that ran during import
    modules: list[str] = field(default_factory=list)  # that the project imports and that are not its own


class TimeIsUp(BaseException):
    """Raised inside a test that ran past its limit while it was being traced."""


def arm_limit(seconds: float) -> None:
    """End this process when it has used so much processor time from now, or stood still ten times as long; 0 disarms.

    Where the process must live on (`use_tracing_for_limits`), TimeIsUp is raised in it instead.
    """
    if _limits_by_tracing:
        sys.settrace(_deadline(time.process_time() + seconds) if seconds else None)
    elif TIMERS:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds and 1.0 + 10 * seconds)


def use_tracing_for_limits() -> None:
    """From now on a tracer that looks at the clock keeps the limits: slower, but it ends a test, not the process."""
    _limits_by_tracing.append(True)


_limits_by_tracing: list[bool] = []


def _deadline(end: float) -> Callable[[FrameType, str, Any], Any]:
    def look(frame: FrameType, event: str, argument: Any) -> Any:
        if time.process_time() > end:
            raise TimeIsUp
        return look

    return look


class Judge:
    """Failing tests first, stop as soon as the candidate is known to be wrong, then say how far it came."""

    def __init__(self, facts: Facts, patience: float, report: Callable[[dict[str, Any]], None]) -> None:
        self.facts = facts
        self.patience = patience
        self.report = report
        self.stop = False
        self.known_good = set(facts.passing)
        self.waiting = 0  # failing tests that have not run yet
        self.fixed: list[str] = []
        self.unfixed: list[str] = []
        self.broken: list[str] = []
        self.advanced = False  # a failing test came further than before
        self._limit(facts.import_limit)

    def order(self, names: list[str]) -> list[str]:
        """Tests that failed (or were never seen) first; a passing test that is gone counts as broken."""
        first = [name for name in names if name not in self.known_good]
        self.waiting = len(first)
        self.broken += sorted(self.known_good - set(names))
        self._decide()
        return first + [name for name in names if name in self.known_good]

    def started(self, name: str) -> None:
        """Arm the test's time limit: a test that runs past it takes this whole process with it."""
        self._limit(self.facts.limits.get(name, self.facts.default_limit))

    def finished(self, name: str, failure: Failure | None) -> None:
        """Count the test."""
        self._limit(0)
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
        wishes = set(self.facts.wishes)
        missed = self.broken or set(self.unfixed) - wishes or self.waiting > 0
        passed = not missed and bool(set(self.fixed) - wishes)
        verdict = {"fixed": self.fixed, "broken": bool(self.broken), "advanced": self.advanced}
        self.report({"passed": passed, **verdict})

    def _decide(self) -> None:
        seen = self.waiting <= 0 or len(self.unfixed) >= FAILING_TESTS_SEEN
        self.stop = bool(self.broken or (seen and self.unfixed and not self.fixed and not self.advanced))

    def _limit(self, seconds: float) -> None:
        arm_limit(seconds * self.patience)


class Tracer:
    """Records the lines of the program that each test executes, the outcome and the time."""

    def __init__(self, paths: Mapping[str, str], skip: list[str], limit: float, report: Callable[..., None]) -> None:
        self.paths = paths  # absolute file name -> path in the project
        self.skip = set(skip)
        self.limit = limit
        self.report = report
        self.stop = False
        self.hits: set[tuple[str, int]] = set()
        self.known: dict[str, str | None] = {}
        self.began = time.process_time()
        self.wall = time.monotonic()
        if TIMERS:
            signal.signal(signal.SIGPROF, self._time_is_up)
            signal.signal(signal.SIGALRM, self._time_is_up)
        self._arm(limit)
        sys.settrace(self._enter)

    def order(self, names: list[str]) -> list[str]:
        """Ends the import phase; all tests in their own order, but those known to end the process."""
        self._arm(0)
        self.report({"imported": sorted(self.hits), "seconds": time.process_time() - self.began, "tests": names})
        return [name for name in names if name not in self.skip]

    def started(self, name: str) -> None:
        """Begin to record for one test."""
        self.report({"started": name})
        self.hits = set()
        self.began, self.wall = time.process_time(), time.monotonic()
        self._arm(self.limit)
        sys.settrace(self._enter)

    def finished(self, name: str, failure: Failure | None) -> None:
        """Report what the test did."""
        sys.settrace(None)
        self._arm(0)
        seconds = max(time.process_time() - self.began, (time.monotonic() - self.wall) / 10)
        self.report(
            {"test": name, "failure": failure and asdict(failure), "seconds": seconds, "lines": sorted(self.hits)}
        )
        sys.settrace(self._enter)

    def done(self) -> None:
        """Report which modules the project needs that are not its own, so that they are imported once for all."""
        sys.settrace(None)
        self._arm(0)
        here = str(Path.cwd().parent)
        self.report({"modules": [name for name, module in list(sys.modules.items()) if _is_foreign(module, here)]})

    def _arm(self, seconds: float) -> None:
        self.end = time.process_time() + seconds if seconds and _limits_by_tracing else float("inf")
        if TIMERS and not _limits_by_tracing:
            signal.setitimer(signal.ITIMER_PROF, seconds, seconds / 4)
            signal.setitimer(signal.ITIMER_REAL, 5 * seconds, seconds / 4)

    def _time_is_up(self, *_: Any) -> None:
        raise TimeIsUp

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """The tracer of calls: only frames of the program are followed line by line."""
        name = frame.f_code.co_filename
        path = self.known.get(name, "")
        if path == "":
            path = self.known[name] = self.paths.get(name) or self.paths.get(str(Path(name).resolve()))
        if path is None:
            return None
        hits = self.hits
        hits.add((path, frame.f_lineno))
        limited = self.end < float("inf")

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if limited and time.process_time() > self.end:
                raise TimeIsUp
            hits.add((path, frame.f_lineno))
            return line

        return line


def _is_foreign(module: Any, own_folder: str) -> bool:
    """Whether a module comes from elsewhere than the project's folder (and from a file, so that it can be imported)."""
    name = getattr(module, "__file__", None)
    return bool(name) and not str(name).startswith(own_folder)
