"""A trace while it is written, line by line: whoever writes it, and wherever a reader begins."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

POLL = 0.06  # seconds between two looks at the file
PIECE = 2**20  # bytes that are read at once

Lines = list[tuple[int, bytes]]


def lines(path: Path, after: int) -> Iterator[Lines]:
    """Yield the whole lines behind line `after`, each with its number, as many as there are at once; none whenever
    nothing came for POLL seconds. It has no end."""
    while not path.exists():
        time.sleep(POLL)
        yield []
    with path.open("rb") as file:
        number, half = 0, b""
        while True:
            data = file.read(PIECE)
            *whole, half = (half + data).split(b"\n")
            if not data:
                time.sleep(POLL)
            fresh = [(place, line) for place, line in enumerate(whole, number + 1) if place > after]
            number += len(whole)
            if fresh or not data:
                yield fresh


def slim(line: bytes) -> bytes:
    """A line as the page needs it, without what stands in the trace twice."""
    if line.startswith((b'{"kind": "call_started"', b'{"kind": "finished"')):
        from records.page import slimmed

        return json.dumps(slimmed(json.loads(line))).encode()
    return line
