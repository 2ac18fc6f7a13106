"""The batch: which task runs next, what becomes of those whose worker was lost, and when there is nothing more to do.

It holds no task but those that run, and of a record its key, so a batch of 100,000 needs little more memory than one of
100.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from bench.many.page import keep_trace
from bench.many.task import Task
from bench.record import Line, Record

KEY = ("kind", "task", "repeat")
MOST_LOST = 3  # tries of one task whose worker was lost: the first, and two elsewhere
LOOK_SECONDS = 0.5  # between two looks at how many workers there are


class Engine(Protocol):
    """What does tasks: processes of this machine, or a cluster. A context manager that lets go of them."""

    def __enter__(self) -> Engine: ...

    def __exit__(self, *_: object) -> None: ...

    def slots(self) -> int:
        """How many tasks it can do at once, now."""

    def submit(self, task: Line, lost_by: Iterable[str]) -> Future[Line]:
        """Do a task, not where it was lost before if that can be helped."""

    def outcome(self, future: Future[Line]) -> Line:
        """The line of a task that ended; {"lost": why, "by": worker} when its worker was lost."""

    def refused(self, by: str) -> bool:
        """A worker's wall is too weak. Whether there is another."""

    def stop(self) -> None:
        """End what runs."""


@dataclass(frozen=True)
class Rules:
    """What holds for every task of a batch. `wall` is the weakest that will do. `budget` is in tokens, or in the money
    of `prices`: what a million tokens cost, read and written. 0 is none."""

    seed: int = 0
    wall: str = "limits"
    budget: float = 0.0
    prices: tuple[float, float] | None = None

    def used(self, tally: Tally) -> float:
        """What a batch has used, in the budget's own unit."""
        by_read, by_written = self.prices or (1e6, 1e6)
        return (tally.read * by_read + tally.written * by_written) / 1e6


@dataclass
class Tally:
    """What a person is told while it runs. The tokens, `read` and `written`, are those of the whole record."""

    total: int
    done: int = 0
    failed: int = 0
    lost: int = 0
    read: int = 0
    written: int = 0
    running: int = 0
    slots: int = 0
    before: int = 0  # of `done`: what an earlier command did
    under_way: Collection[Trial] = ()

    def take(self, line: Mapping[str, Any]) -> None:
        self.done += 1
        self.lost += line.get("outcome") == "lost"
        self.failed += not line.get("solved")
        self.count(line)

    def count(self, line: Mapping[str, Any]) -> None:
        tokens = line.get("tokens") or {}
        self.read += tokens.get("input") or 0
        self.written += tokens.get("output") or 0


@dataclass
class Trial:
    """A task under way, and why it has to be done again, worker by worker."""

    task: Task
    lost: list[Line] = field(default_factory=list)


class OutOfBudget(Exception):
    """The budget is used up. `missing` names the tasks that were not done; what ran has been recorded."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(f"{len(missing)} runs are missing")
        self.missing = missing


def run(
    tasks: Iterable[Task],
    record: Record,
    engine: Engine,
    rules: Rules,
    tally: Tally,
    show: Callable[[Tally, Line | None], None],
) -> None:
    """Do every task that the record does not hold, as many at a time as the engine can, and record each as it ends.

    `show` hears of every new record, and of what has changed in between (None). Whatever ends this early, Ctrl-C
    included, ends what runs; it is not in the record and so is done by the next command. Raises OutOfBudget.
    """
    for line in record.lines:
        tally.count(line)
    fresh = _not_done(tasks, record, rules, tally)
    again: deque[Trial] = deque()
    running: dict[Future[Line], Trial] = {}
    ended: queue.SimpleQueue[Future[Line]] = queue.SimpleQueue()
    trial: Trial | None = None
    tally.under_way = running.values()

    def begin_next() -> None:
        nonlocal trial
        tally.slots = engine.slots()
        while trial := trial or _next(again, fresh):
            if len(running) >= tally.slots or _spent(rules, tally):
                break
            future = engine.submit(_sent(trial.task, rules), [each["by"] for each in trial.lost])
            running[future], trial = trial, None
            future.add_done_callback(ended.put)

    try:
        while True:
            begin_next()
            tally.running = len(running)
            show(tally, None)
            if not running and (trial is None or _spent(rules, tally)):
                break
            try:
                future = ended.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                continue
            done = running.pop(future)
            if not rules.budget:  # else what this one has used comes first
                begin_next()  # the worker is free, and its record may take a while to come over
            line = _settled(done, engine.outcome(future), engine, rules, again)
            if line:
                line = keep_trace(line, record.path)
                record.add(line)
                tally.take(line)
                show(tally, line)
    except BaseException:
        engine.stop()
        raise
    missing = [each.task.name for each in (*([trial] if trial else []), *again, *fresh)]
    if missing:
        raise OutOfBudget(missing)


def line_of(task: Task, rules: Rules) -> Line:
    """What is known of a record before it is made."""
    return {"kind": "attempt", "task": task.name, "repeat": task.repeat, "seed": rules.seed + task.repeat}


def _not_done(tasks: Iterable[Task], record: Record, rules: Rules, tally: Tally) -> Iterator[Trial]:
    for task in tasks:
        if line_of(task, rules) in record:
            tally.done, tally.before = tally.done + 1, tally.before + 1
        else:
            yield Trial(task)


def _next(again: deque[Trial], fresh: Iterator[Trial]) -> Trial | None:
    return again.popleft() if again else next(fresh, None)


def _spent(rules: Rules, tally: Tally) -> bool:
    return bool(rules.budget) and rules.used(tally) >= rules.budget


def _sent(task: Task, rules: Rules) -> Line:
    """A task as it goes to a worker."""
    seed = rules.seed + task.repeat
    return {"work": task.work, "data": task.data, "limit": task.limit, "seed": seed, "wall": rules.wall}


def _settled(trial: Trial, found: Line, engine: Engine, rules: Rules, again: deque[Trial]) -> Line | None:
    """The record of a task that ended; None when it is to be done again."""
    if "refused" in found:
        if not engine.refused(found.get("by", "")):
            raise OSError(f"no worker can do this: {found['refused']}")
        again.append(trial)
        return None
    if "lost" in found:
        trial.lost.append({"by": found.get("by", ""), "why": found["lost"]})
        if len(trial.lost) < MOST_LOST:
            again.append(trial)
            return None
        found = {"outcome": "lost", "cause": found["lost"]}
    tried = {"lost": trial.lost} if trial.lost else {}
    return {**line_of(trial.task, rules), "solved": False, **found, **tried}
