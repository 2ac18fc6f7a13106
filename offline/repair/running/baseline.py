"""The first run: which tests fail, what each test executes, how long it takes, what the project imports."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ranking.localise import Coverage
from ..reading.facts import Facts
from ..reading.failures import Failure
from .limits import TimeIsUp
from .slots import Slot

HANG_SECONDS = 2.0  # of processor time under tracing: a test that takes longer counts as hanging
IMPORT_SECONDS = 15.0  # the same, for importing, where a first run was cut while it imported
LEAST_LIMIT = 0.03  # seconds; no test gets less
AMPLE_LIMIT = 1.0  # seconds; a failing test gets no more for the sake of a few slow ones
MOST_TESTS = 0.9  # of all: how long they take bounds a failing one (a single slow test would make each loop costly)
MOST_SLOW = 8  # tests that were too slow under tracing and are tried without
GRACE_SECONDS = 5.0  # that this may take where the time of the first run is used up
QUICK = 0.5  # seconds; a failing test that took less is run once more before any change is tried
TIMES = 3  # that a test is run without a change before it is thought steady
MOST_RUNS = 6  # of the first run: one more for each test that ended the process


@dataclass
class Baseline:
    """What the first run taught."""

    facts: Facts = field(default_factory=Facts)
    coverage: Coverage = field(default_factory=Coverage)
    failures: dict[str, Failure] = field(default_factory=dict)
    busy: float = 0.0  # seconds of processor time that the tests took (at least a tenth of the clock's)
    importing: float = 0.0  # seconds of processor time
    unseen: set[str] = field(default_factory=set)  # tests that were not followed: they ran lines, but which?


def take_baseline(slots: Sequence[Slot], until: float, begin: Sequence[str] = ()) -> Baseline:
    """Run all tests once under tracing, a part in each slot; again without those that ended the process, until a run
    comes to its end. Where a part has not enough memory, all of them in one slot.

    At `until` (of the clock) it ends in any case: what has run by then is what is known. Tests called as `begin` says
    are run first.
    """
    slot = slots[0]
    baseline = _run_all(slots, until, begin)
    if len(slots) > 1 and _lacked_memory(baseline):
        baseline = _run_all(slots[:1], until, begin)
    _follow_failing(slot, baseline, until)
    _try_slow_again(slot, baseline, until)
    _put_slow_aside(baseline)
    _learn_limits(baseline)
    return baseline


def _lacked_memory(baseline: Baseline) -> bool:
    nothing = not baseline.coverage.passing and not baseline.failures
    return nothing or any(MemoryError.__name__ in failure.text for failure in baseline.failures.values())


def _run_all(slots: Sequence[Slot], until: float, begin: Sequence[str]) -> Baseline:
    baseline, importing = Baseline(), HANG_SECONDS
    skipped: dict[int, list[str]] = {number: [] for number in range(len(slots))}  # of the parts that are not done
    for _ in range(MOST_RUNS):
        for number, skip in skipped.items():
            slots[number].trace(skip, (importing, HANG_SECONDS), until, part=(number, len(slots)), begin=begin)
        told = {number: slots[number].traced() for number in skipped}
        if importing < IMPORT_SECONDS and any("cut" in record for records in told.values() for record in records):
            importing = IMPORT_SECONDS
            continue
        for number, records in told.items():
            unfinished = _take_in(records, baseline)
            finished = any("modules" in record for record in records)
            baseline.facts.cut |= not finished and time.monotonic() > until
            if unfinished and not baseline.facts.cut:
                baseline.failures[unfinished] = Failure("ended the whole process")
                baseline.coverage.failing.setdefault(unfinished, set())
                skipped[number].append(unfinished)
            else:
                del skipped[number]
        if not skipped or baseline.facts.cut:
            break
    return baseline


def _try_slow_again(slot: Slot, baseline: Baseline, until: float) -> None:
    """Run those that were ended once more without tracing: a test that is only slow under it passes, and is no failing
    test that every candidate seems to cure. Nor is one for which there is no time now."""
    known, failures = baseline.coverage, baseline.failures
    unknown = _not_ended(baseline)[:MOST_SLOW]
    until = max(until, time.monotonic() + GRACE_SECONDS)
    for record in _run_again(slot, baseline, list(unknown), until, follow=False):
        lines, _ = known.failing.pop(record["test"]), failures.pop(record["test"])
        _add_test(record, baseline)
        (known.passing if record["failure"] is None else known.failing)[record["test"]] = lines
        unknown.remove(record["test"])
    if time.monotonic() > until:
        baseline.facts.slow += unknown
        for name in unknown:
            del failures[name], known.failing[name]


def _put_slow_aside(baseline: Baseline) -> None:
    """Where other tests fail and say how, those that did not end count no more: a test that takes seconds when all is
    right would never pass, and a loop that a change makes end shows in the others."""
    failures = baseline.failures
    slow = _not_ended(baseline)
    if len(slow) < len(failures):
        baseline.facts.slow += slow
        for name in slow:
            del failures[name], baseline.coverage.failing[name]


def _not_ended(baseline: Baseline) -> list[str]:
    return [name for name, failure in baseline.failures.items() if failure.text.startswith(TimeIsUp.__name__)]


def _follow_failing(slot: Slot, baseline: Baseline, until: float) -> None:
    """Of a long suite not every test was followed; those that fail are, in a run of their own."""
    blind = [name for name in baseline.coverage.failing if name in baseline.unseen]
    for record in _run_again(slot, baseline, blind, until, follow=True):
        if record["followed"]:
            baseline.coverage.failing[record["test"]] |= _lines(record["lines"])


def _run_again(
    slot: Slot, baseline: Baseline, names: Collection[str], until: float, *, follow: bool, alone: bool = True
) -> Iterator[dict[str, Any]]:
    """What some tests do in one more run, `alone` or among all others."""
    if names and time.monotonic() < until:
        others = [*baseline.coverage.failing, *baseline.coverage.passing] if alone else []
        skip = [name for name in [*others, *baseline.facts.slow, *baseline.facts.aside] if name not in names]
        slot.trace(skip, (IMPORT_SECONDS, HANG_SECONDS), until, follow=follow)
        told = slot.traced()
        _learn_memory(baseline, told)
        yield from (record for record in told if record.get("test") in names)


def put_aside(baseline: Baseline, missing: Mapping[str, str]) -> None:
    """Let tests that no change here can help count no more: test -> the module that it lacks ("": it is unsteady)."""
    facts = baseline.facts
    for name in missing.keys() & {*facts.failing}:
        del baseline.failures[name], baseline.coverage.failing[name]
    facts.passing = [name for name in facts.passing if name not in missing]
    facts.failing = [name for name in facts.failing if name not in missing]
    facts.on_disk = [name for name in facts.failing if name in facts.on_disk]
    facts.aside |= missing


def put_unsteady_aside(slot: Slot, baseline: Baseline, names: set[str], until: float) -> list[str]:
    """Let those of some tests count no more that do otherwise where nothing is changed; their names. One that passed
    may fail for what is loaded already, or by chance; one that failed in its part of the tests may pass after all the
    others (which made a folder for it, say)."""
    facts, unsteady = baseline.facts, set[str]()
    passing, failing = names & {*facts.passing}, names & {*facts.failing}
    for _ in range(TIMES):
        again = _run_again(slot, baseline, passing - unsteady, until, follow=False)
        unsteady |= {record["test"] for record in again if record["failure"]}
    again = _run_again(slot, baseline, failing, until, follow=False, alone=False)
    unsteady |= {record["test"] for record in again if not record["failure"]}
    put_aside(baseline, dict.fromkeys(unsteady, ""))
    return sorted(unsteady)


def put_cured_aside(slot: Slot, baseline: Baseline) -> list[str]:
    """Let those failing tests count no more that pass where they come before all others, as they do when a change is
    judged: each change would seem to cure them. Not where all do. Their names; the slow ones are not asked."""
    facts = baseline.facts
    quick = [name for name in facts.failing if facts.seconds.get(name, HANG_SECONDS) < QUICK]
    again = _run_again(slot, baseline, quick, time.monotonic() + GRACE_SECONDS, follow=False)
    cured = {record["test"] for record in again if not record["failure"]}
    if cured == {*facts.failing}:
        return []
    put_aside(baseline, dict.fromkeys(cured, ""))
    return sorted(cured)


def _take_in(records: list[dict[str, Any]], baseline: Baseline) -> str:
    """Add the records of one run; returns the test that was running when the process ended, if any."""
    running = ""
    for record in records:
        if "imported" in record:
            baseline.coverage.imported |= _lines(record["imported"])
            baseline.importing = max(baseline.importing, record["seconds"])
            baseline.facts.import_limit = 0.3 + 10 * baseline.importing
        elif "started" in record:
            running = record["started"]
        elif "test" in record:
            running = ""
            _add_test(record, baseline)
        elif "modules" in record:
            facts = baseline.facts
            facts.modules = list(dict.fromkeys([*facts.modules, *record["modules"]]))
            facts.late = list(dict.fromkeys([*facts.late, *record["late"]]))
    _learn_memory(baseline, records)
    return running


def _learn_memory(baseline: Baseline, records: list[dict[str, Any]]) -> None:
    """What a run held at its peak: a test that was ended while it was followed needs more when it comes to its end."""
    needed = (record["memory"] for record in records if "memory" in record)
    baseline.facts.memory = max([baseline.facts.memory, *needed])


def _add_test(record: dict[str, Any], baseline: Baseline) -> None:
    name, lines = record["test"], _lines(record["lines"])
    (baseline.unseen.discard if record["followed"] else baseline.unseen.add)(name)
    baseline.facts.seconds[name] = record["clock"]
    baseline.busy += record["seconds"]
    if record["failure"] is None:
        baseline.coverage.passing[name] = lines
        baseline.facts.limits[name] = record["seconds"]
    else:
        baseline.failures[name] = failure = _failure(record["failure"])
        baseline.coverage.failing[name] = lines | ({failure.crash} if failure.crash else set())
        if record["looked"]:
            baseline.facts.on_disk.append(name)


def _failure(told: dict[str, Any]) -> Failure:
    crash = told["crash"] and (told["crash"][0], told["crash"][1])
    return Failure(told["text"], told["depth"], crash, drawn=told.get("drawn", False))


def _learn_limits(baseline: Baseline) -> None:
    """A passing test may take ten times as long as it did (traced, so generous); a failing one as long as most do."""
    facts = baseline.facts
    facts.failing, facts.passing = list(baseline.coverage.failing), list(baseline.coverage.passing)
    again = set[tuple[str, int]]().union(*baseline.coverage.failing.values())
    for path, line in sorted(baseline.coverage.imported):
        facts.imported.setdefault(path, []).append(line)
        if (path, line) in again:
            facts.run_again.setdefault(path, []).append(line)
    facts.depths = {name: failure.depth for name, failure in baseline.failures.items()}
    facts.waits = sum(facts.seconds.values()) > max(1.0, 4 * baseline.busy)
    facts.limits = {name: LEAST_LIMIT + 10 * seconds for name, seconds in facts.limits.items()}
    unread = any(name.endswith(".py") for name in facts.failing)  # files: how long is what they hold?
    limits = sorted(facts.limits.values()) or [LEAST_LIMIT]
    facts.default_limit = min(limits[-1], max(AMPLE_LIMIT, limits[int(MOST_TESTS * len(limits))]))
    facts.default_limit = max(facts.default_limit, AMPLE_LIMIT) if unread else facts.default_limit
    clock = sorted(facts.seconds[name] for name in facts.passing if name in facts.seconds)
    facts.usual_seconds = clock[int(MOST_TESTS * len(clock))] if clock else facts.usual_seconds
    drawn = {name for name, failure in baseline.failures.items() if failure.drawn}  # once right, with every example
    for name in facts.failing:
        if facts.seconds.get(name, HANG_SECONDS) < HANG_SECONDS:
            least = max(facts.default_limit, AMPLE_LIMIT if name in drawn else 0.0)
            facts.limits[name] = max(least, LEAST_LIMIT + 3 * facts.seconds[name])


def _lines(told: dict[str, list[int]]) -> set[tuple[str, int]]:
    return {(path, line) for path, lines in told.items() for line in lines}
