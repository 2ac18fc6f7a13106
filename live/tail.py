"""A trace while it is written, line by line: whoever writes it, and wherever a reader begins."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

POLL = 0.06  # seconds between two looks at the file of another process
LONGEST = 1.0  # seconds without a look, where it is told when there is something
TOGETHER = 0.05  # seconds after word of something new, within which more of it is likely to come
PIECE = 2**20  # bytes that are read at once

Lines = list[tuple[int, bytes]]


def poll() -> None:
    """Wait for what another process may write."""
    time.sleep(POLL)


class Bell:
    """Rung whenever there may be something new: who waits for it sleeps until then, and costs nothing meanwhile."""

    def __init__(self) -> None:
        self._changed, self._rung = threading.Condition(), 0

    def ring(self) -> None:
        with self._changed:
            self._rung += 1
            self._changed.notify_all()

    def listener(self) -> Callable[[], None]:
        """Return what waits until it rings, and a moment longer: what happens at once is then read at once. What was
        rung since the last time ends it, too."""
        heard = -1

        def wait() -> None:
            nonlocal heard
            with self._changed:
                rang = self._changed.wait_for(lambda: self._rung != heard, LONGEST)
            if rang:
                time.sleep(TOGETHER)
            heard = self._rung

        return wait


def lines(path: Path, after: int, wait: Callable[[], None] = poll) -> Iterator[Lines]:
    """Yield the whole lines behind line `after`, each with its number, as many as there are at once; none whenever
    there was nothing new, behind a `wait`. It has no end."""
    while not path.exists():
        wait()
        yield []
    with path.open("rb") as file:
        number, half = 0, b""
        while True:
            data = file.read(PIECE)
            *whole, half = (half + data).split(b"\n")
            if not data:
                wait()
            fresh = [(place, line) for place, line in enumerate(whole, number + 1) if place > after]
            number += len(whole)
            if fresh or not data:
                yield fresh


def slim(line: bytes) -> bytes:
    """A line as the page needs it, without what stands in the trace twice."""
    if line.startswith((b'{"kind": "call_started"', b'{"kind": "finished"')):
        from records.lines import event_in
        from records.page import slimmed

        event = event_in(line)
        return json.dumps(slimmed(event)).encode() if event else line  # which the page passes over
    return line
