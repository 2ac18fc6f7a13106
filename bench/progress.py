"""A list of measurements, run one after the other with a bar, each recorded as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.record import Line, Record


@dataclass(frozen=True)
class Task:
    """One measurement: the fields that identify it, and what measures it and gives the other fields."""

    line: Line
    measure: Callable[[], Line]


def run_all(tasks: Sequence[Task], record: Record) -> None:
    """Run what the record does not hold yet. KeyboardInterrupt passes through; what was measured is on the disk."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=len(tasks))
        for task in tasks:
            progress.update(bar, description=" ".join(str(value) for value in task.line.values()))
            if task.line not in record:
                record.add({**task.line, **task.measure()})
            progress.advance(bar)
