"""The first run: which tests fail, what each test executes, how long it takes, what the project imports."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from ..ranking.localise import Coverage
from ..reading.facts import Facts
from ..reading.failures import Failure
from .slots import Slot

HANG_SECONDS = 2.0  # of processor time under tracing: a test that takes longer counts as hanging
IMPORT_SECONDS = 15.0  # the same, for importing, where a first run was cut while it imported
LEAST_LIMIT = 0.03  # seconds; no test gets less
AMPLE_LIMIT = 1.0  # seconds; a failing test gets no more for the sake of a few slow ones
MOST_TESTS = 0.9  # of all: how long they take bounds a failing one (a single slow test would make each loop costly)
MOST_RUNS = 6  # of the first run: one more for each test that ended the process


@dataclass
class Baseline:
    """What the first run taught."""

    facts: Facts = field(default_factory=Facts)
    coverage: Coverage = field(default_factory=Coverage)
    failures: dict[str, Failure] = field(default_factory=dict)
    busy: float = 0.0  # seconds of processor time that the tests took (at least a tenth of the clock's)
    finished: bool = False  # the test framework came to its end at least once


def take_baseline(slot: Slot, until: float) -> Baseline:
    """Run all tests once under tracing; again without those that ended the process, until a run comes to its end.

    At `until` (of the clock) it ends in any case: what has run by then is what is known.
    """
    baseline, skip, importing = Baseline(), [], HANG_SECONDS
    for _ in range(MOST_RUNS):
        records = slot.trace(skip, (importing, HANG_SECONDS), until)
        if importing < IMPORT_SECONDS and any("cut" in record for record in records):
            importing = IMPORT_SECONDS
            continue
        unfinished = _take_in(records, baseline)
        if time.monotonic() > until and not baseline.finished:
            baseline.facts.cut = True
            break
        if not unfinished:
            break
        baseline.failures[unfinished] = Failure("ended the whole process")
        baseline.coverage.failing.setdefault(unfinished, set())
        skip = [*skip, unfinished]
    _learn_limits(baseline)
    return baseline


def put_aside(baseline: Baseline, missing: dict[str, str]) -> None:
    """Let failing tests that no change here can help count no more: test -> the module that it lacks."""
    for name in missing:
        del baseline.failures[name], baseline.coverage.failing[name]
    baseline.facts.aside = missing
    baseline.facts.failing = list(baseline.coverage.failing)


def _take_in(records: list[dict[str, Any]], baseline: Baseline) -> str:
    """Add the records of one run; returns the test that was running when the process ended, if any."""
    running = ""
    for record in records:
        if "imported" in record:
            baseline.coverage.imported |= _lines(record["imported"])
            baseline.facts.import_limit = 0.3 + 10 * record["seconds"]
        elif "started" in record:
            running = record["started"]
        elif "test" in record:
            running = ""
            _add_test(record, baseline)
        elif "modules" in record:
            baseline.finished = True
            baseline.facts.modules, baseline.facts.memory = record["modules"], record["memory"]
    return running


def _add_test(record: dict[str, Any], baseline: Baseline) -> None:
    name, lines = record["test"], _lines(record["lines"])
    baseline.facts.seconds[name] = record["clock"]
    baseline.busy += record["seconds"]
    if record["failure"] is None:
        baseline.coverage.passing[name] = lines
        baseline.facts.limits[name] = record["seconds"]
    else:
        baseline.coverage.failing[name] = lines
        baseline.failures[name] = _failure(record["failure"])


def _failure(told: dict[str, Any]) -> Failure:
    crash = told["crash"] and (told["crash"][0], told["crash"][1])
    return Failure(told["text"], told["depth"], crash)


def _learn_limits(baseline: Baseline) -> None:
    """A passing test may take ten times as long as it did (traced, so generous); a failing one as long as most do."""
    facts = baseline.facts
    facts.failing, facts.passing = list(baseline.coverage.failing), list(baseline.coverage.passing)
    for path, line in sorted(baseline.coverage.imported):
        facts.imported.setdefault(path, []).append(line)
    facts.depths = {name: failure.depth for name, failure in baseline.failures.items()}
    facts.waits = sum(facts.seconds.values()) > max(1.0, 4 * baseline.busy)
    facts.limits = {name: LEAST_LIMIT + 10 * seconds for name, seconds in facts.limits.items()}
    limits = sorted(facts.limits.values()) or [LEAST_LIMIT]
    facts.default_limit = min(limits[-1], max(AMPLE_LIMIT, limits[int(MOST_TESTS * len(limits))]))
    for name in facts.failing:
        if facts.seconds.get(name, HANG_SECONDS) < HANG_SECONDS:
            facts.limits[name] = max(facts.default_limit, LEAST_LIMIT + 3 * facts.seconds[name])


def _lines(told: dict[str, list[int]]) -> set[tuple[str, int]]:
    return {(path, line) for path, lines in told.items() for line in lines}
