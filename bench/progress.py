"""A list of measurements, run with a bar, each recorded as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from bench import children
from bench.record import Line, Record


@dataclass(frozen=True)
class Task:
    """One measurement: the fields that identify it, and what measures it and gives the other fields."""

    line: Line
    measure: Callable[[], Line]


def run_all(tasks: Sequence[Task], record: Record, jobs: int = 1) -> None:
    """Run what the record does not hold yet, `jobs` at a time. Ctrl-C passes through: what runs is killed and left
    for the next time."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    waiting = [task for task in tasks if task.line not in record]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress, ThreadPoolExecutor(jobs) as pool:
        bar = progress.add_task("", total=len(tasks), completed=len(tasks) - len(waiting))

        def run(task: Task) -> Line:
            progress.update(bar, description=" ".join(str(value) for value in task.line.values()))
            return {**task.line, **task.measure()}

        futures = [pool.submit(run, task) for task in waiting]
        try:
            for future in as_completed(futures):
                record.add(future.result())
                progress.advance(bar)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            children.kill_all()
            raise
