"""A trace while it is written, line by line: whoever writes it, and wherever a reader begins."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

POLL = 0.03  # seconds between two looks at the file


def lines(path: Path, after: int) -> Iterator[tuple[int, bytes] | None]:
    """Yield number and text of each whole line behind line `after`; None whenever nothing came for POLL seconds. It has
    no end."""
    while not path.exists():
        yield _nothing()
    with path.open("rb") as file:
        number, half = 0, b""
        while True:
            line = half + file.readline()
            if not line.endswith(b"\n"):
                half = line
                yield _nothing()
                continue
            half, number = b"", number + 1
            if number > after:
                yield number, line[:-1]


def _nothing() -> None:
    time.sleep(POLL)


def slim(line: bytes) -> bytes:
    """A line as the page needs it, without what stands in the trace twice."""
    if line.startswith((b'{"kind": "call_started"', b'{"kind": "finished"')):
        from records.page import slimmed

        return json.dumps(slimmed(json.loads(line))).encode()
    return line
