"""Watching one file by looking at it, and waiting for typed lines. Looking works where file events do not arrive:
on some WSL and network mounts (rustlings#417, #444, watchfiles#169).
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

TICK = 0.25  # seconds between two looks
PATIENCE = 4  # looks after which a missing file is gone, and not just being replaced


class Watcher:
    """One file. `look` says what has happened since the last look."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen = self.signature()
        self.missing = 0

    def signature(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def look(self) -> str:
        """Return "saved", "gone", "back" or "" (nothing). A file that an editor has just emptied is given a tick."""
        now = self.signature()
        if now is None:
            self.missing += 1
            return "gone" if self.missing == PATIENCE else ""
        was_gone, self.missing = self.missing >= PATIENCE, 0
        if now == self.seen:
            return "back" if was_gone else ""
        emptied = now[1] == 0 and self.seen is not None and self.seen[1] != 0
        self.seen = now
        return "" if emptied else "saved"


class Lines:
    """Typed lines, waited for with patience and without a busy loop. `next` returns None when none came in time."""

    one_key = False

    def __init__(self) -> None:
        self.ended = False
        self._bytes = b""
        self._queue: queue.Queue[str | None] | None = None
        if sys.platform == "win32":  # select() knows only sockets there
            self._queue = queue.Queue()
            threading.Thread(target=self._read_ahead, daemon=True).start()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """While it lasts, the terminal belongs to another program."""
        yield

    def next(self, seconds: float) -> str | None:
        if self._queue is not None:
            return self._from_queue(seconds)
        while b"\n" not in self._bytes:
            if self.ended or not select.select([0], [], [], seconds)[0]:
                if self.ended and self._bytes:
                    break
                if self.ended:
                    time.sleep(0)
                return None
            data = os.read(0, 4096)
            self.ended = not data
            self._bytes += data
            if not data:
                break
        line, _, self._bytes = self._bytes.partition(b"\n")
        if self.ended and not line:
            return None
        return line.decode("utf-8", "replace").strip()

    def _from_queue(self, seconds: float) -> str | None:
        assert self._queue is not None
        try:
            line = self._queue.get(timeout=seconds)
        except queue.Empty:
            return None
        self.ended = line is None
        return line

    def _read_ahead(self) -> None:
        assert self._queue is not None
        for line in sys.stdin:
            self._queue.put(line.strip())
        self._queue.put(None)
