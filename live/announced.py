"""Which batches are shown now, for the page of all runs: a file for each, which only the person can read, since the
address in it lets in whoever has it (live/server.py). The program that shows the batch holds it while it lives.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from records.folders import is_held
from records.trace import mark_under_way

ENDING = ".address"


@contextlib.contextmanager
def announced(runs: Path, name: str, address: str) -> Iterator[None]:
    """Tell whoever shows these runs that a batch is at an address, until the block ends."""
    runs.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = runs / f"batch-{os.getpid()}{ENDING}"
    with new_private(file) as written:
        mark_under_way(written.fileno())
        written.write(json.dumps({"name": name, "address": address}))
        written.flush()
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def new_private(file: Path) -> TextIO:
    """Open a file to be written, in the place of one of its name, that nobody but the person can read."""
    file.unlink(missing_ok=True)
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")


def batches(runs: Path) -> list[dict[str, str]]:
    """The batches that are shown now: the name of each, and its address."""
    found = []
    for file in sorted(runs.glob(f"*{ENDING}")):
        with contextlib.suppress(OSError, ValueError):  # it ended just now, or is just being written
            if is_held(file):
                found.append(json.loads(file.read_text(encoding="utf-8")))
    return found
