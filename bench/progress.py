"""A list of measurements, taken one after another with a bar, each recorded as soon as it is there. What is timed has
the machine for itself; many runs at once are bench/many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench import children
from bench.record import Line, Record


@dataclass(frozen=True)
class Task:
    """One measurement: the fields that identify it, and what measures it and gives the other fields."""

    line: Line
    measure: Callable[[], Line]


def run_all(tasks: Sequence[Task], record: Record) -> None:
    """Take what the record does not hold yet. Ctrl-C passes through: what runs is killed and left for the next time."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    waiting = [task for task in tasks if task.line not in record]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=len(tasks), completed=len(tasks) - len(waiting))
        try:
            for task in waiting:
                progress.update(bar, description=" ".join(str(value) for value in task.line.values()))
                record.add({**task.line, **task.measure()})
                progress.advance(bar)
        except BaseException:
            children.kill_all()
            raise
