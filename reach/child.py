"""Work that no clock of its own can stop, in a process that can be killed: at its limit, and by Ctrl-C.

A C function between two looks at the clock (SQLite's `instr`, DuckDB's `levenshtein`) or a codec that takes the square
of its input (`punycode`) heeds neither a deadline nor a signal. So it runs in a Python of its own, which has nothing of
the person's environment, answers one question at a time, and is kept for the next one.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

from config import PROJECT

START_SECONDS = 30.0  # for what it must load
SLICE_SECONDS = 0.05  # how soon a cancelled question is noticed
MOST_AT_ONCE = max(2, os.cpu_count() or 2)  # a process more would only take its start from those at work
_LOOK_SECONDS = 1.0  # how soon a child notices that it is alone


class Late(Exception):
    """No answer came in time, and the process was killed."""


class Gone(Exception):
    """The process ended by itself, without an answer."""


class Child:
    """Answers from `serve(*arguments)` of a module, each question a JSON value. Safe for several threads: each question
    under way has a process of its own, started when none is free. Beyond MOST_AT_ONCE a question waits for another's
    end; its own time begins then."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._command = [sys.executable, "-s", "-m", __name__, module, *arguments]
        self._free: list[subprocess.Popen[bytes]] = []
        self._lock, self._places = threading.Lock(), threading.Semaphore(MOST_AT_ONCE)
        self._finalizer = weakref.finalize(self, _end_all, self._free)

    def ask(self, question: Any, seconds: float, cancelled: threading.Event) -> Any:
        """Return the answer. Raises Late after `seconds` or when `cancelled` is set, Gone when the process died."""
        while not self._places.acquire(timeout=SLICE_SECONDS):
            if cancelled.is_set():
                raise Late
        try:
            return self._answer(question, seconds, cancelled)
        finally:
            self._places.release()

    def _answer(self, question: Any, seconds: float, cancelled: threading.Event) -> Any:
        with self._lock:
            process = self._free.pop() if self._free else None
        begins = process is None
        process = process or self._started()
        try:
            if begins:
                _line(process, START_SECONDS, cancelled)
            data = json.dumps(question).encode() + b"\n"
            threading.Thread(target=_write, args=(process.stdin, data), daemon=True).start()  # it may not fit at once
            answer = _line(process, seconds, cancelled)
        except BaseException:
            _end(process)
            raise
        with self._lock:
            self._free.append(process)
        return json.loads(answer)

    def close(self) -> None:
        """End the processes. A later question starts another."""
        with self._lock:
            _end_all(self._free)

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            cwd=PROJECT,
            env={"PATH": os.defpath, "PYTHONUTF8": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us; we kill it
        )


def _line(process: subprocess.Popen[bytes], seconds: float, cancelled: threading.Event) -> bytes:
    """What the process says next."""
    assert process.stdout is not None
    deadline = time.monotonic() + seconds
    said = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not said.endswith(b"\n"):
            if cancelled.is_set() or time.monotonic() > deadline:
                raise Late
            if selector.select(SLICE_SECONDS):
                part = os.read(process.stdout.fileno(), 1 << 20)
                if not part:
                    raise Gone
                said += part
    return bytes(said)


def _write(target: Any, data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        target.write(data)
        target.flush()


def _end_all(processes: list[subprocess.Popen[bytes]]) -> None:
    while processes:
        _end(processes.pop())


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            stream.close()  # type: ignore[union-attr]


def main() -> None:
    """In the child: answer each line of standard input. What libraries print goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    module, *arguments = sys.argv[1:]
    answer = importlib.import_module(module).serve(*arguments)
    answers.write(b"null\n")
    answers.flush()
    for line in sys.stdin.buffer:
        answers.write(json.dumps(answer(json.loads(line))).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
