"""One line that tells how far a batch is: on a terminal it stays in its place, elsewhere it comes now and then."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from bench.many.batch import Tally
from bench.record import Line

PLAIN_SECONDS = 30.0  # between two lines where no terminal is there
Tell = Callable[[str], None]


@contextlib.contextmanager
def progress_line(on_line: Callable[[Line, Tell], None]) -> Iterator[Callable[[Tally, Line | None], None]]:
    """Yield what a batch is shown by. `on_line` hears of each new record, with what prints a line above."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console, began, last = Console(stderr=True), time.monotonic(), [time.monotonic()]
    with Progress(BarColumn(20), TextColumn("{task.description}"), console=console, transient=True) as progress:
        bar = progress.add_task("", total=None)

        def tell(text: str) -> None:
            progress.console.print(text, markup=False, highlight=False, soft_wrap=True)

        def show(tally: Tally, line: Line | None) -> None:
            if line:
                return on_line(line, tell)
            told, now = words(tally, time.monotonic() - began), time.monotonic()
            progress.update(bar, completed=tally.done, total=tally.total, description=told)
            if not console.is_terminal and now - last[0] > PLAIN_SECONDS:
                last[0] = now
                print(told, file=sys.stderr)
            return None

        yield show


def words(tally: Tally, seconds: float) -> str:
    """`12 of 92 done, 2 running, 1 failed, 48,210 tokens, 0:03:20 left`; what is nothing is left out."""
    parts = [f"{tally.done:,} of {tally.total:,} done", f"{tally.running} running"]
    named = (("failed", tally.failed), ("lost", tally.lost), ("tokens", tally.read + tally.written))
    parts += [f"{count:,} {name}" for name, count in named if count]
    made = tally.done - tally.before
    if not tally.slots:
        parts.append("waiting for a worker")
    elif made:
        left = int(seconds / made * (tally.total - tally.done))
        parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
    return ", ".join(parts)
