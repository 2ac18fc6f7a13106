"""A process that does tasks one after another, for whoever holds it: it can be killed with all that it started, and
ends by itself when its holder does. The other side of its pipe is child.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from bench.record import Line
from config import PROJECT, whole_environment

LEAVE_SECONDS = 2.0  # for a process to end what it started, before it is killed
LAST_WORDS = 200  # characters of what a process said before it died

_hosts = threading.local()  # one for each thread
_all: set[Host] = set()


def run_here(task: Line) -> Line:
    """Do a task in a process of this thread's own, and return what it gives; {"lost": why} when that process dies or
    takes longer than the task's limit. Never raises for anything that the task does."""
    if not hasattr(_hosts, "mine"):
        _hosts.mine = Host()
        _all.add(_hosts.mine)
    return _hosts.mine.run(task)


def stop_here(batch: str = "") -> None:
    """Kill what does the tasks of a batch in this process, or of every batch."""
    chosen = [host for host in [*_all] if batch in ("", host.batch)]
    for end in (Host.ask_to_leave, Host.kill):  # all at once, and then those that did not
        for host in chosen:
            end(host)


class Host:
    """The process is started with its first task. `batch` is the batch that its task belongs to, "" when it waits."""

    def __init__(self) -> None:
        self.batch = ""
        self._process: subprocess.Popen[str] | None = None
        self._scratch = Path()

    def run(self, task: Line) -> Line:
        if self._process is None:
            self._start()
        process, late = self._process, threading.Event()
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(task["limit"], lambda: (late.set(), self.kill()))
        timer.daemon = True
        timer.start()
        self.batch, answer = task["batch"], ""
        try:
            with contextlib.suppress(OSError, ValueError):  # it is dead, or its pipe was closed to end it
                process.stdin.write(json.dumps(task) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
        finally:
            timer.cancel()
            self.batch = ""
        if answer.endswith("\n") and not late.is_set():  # one that comes while it is killed is no result
            return json.loads(answer)
        why = self._bury()
        return {"lost": f"no result after {task['limit']:g} seconds" if late.is_set() else why}

    def kill(self) -> None:
        """End the process and what it started. Whoever waits for its answer sees that there is none."""
        self.ask_to_leave()
        process = self._process
        try:
            if process is not None:
                process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            _signal_group(process.pid)

    def ask_to_leave(self) -> None:
        """Close the pipe that the process lives by."""
        process = self._process
        with contextlib.suppress(OSError, ValueError):
            if process is not None and process.stdin is not None:
                process.stdin.close()

    def _start(self) -> None:
        self._scratch = Path(tempfile.mkdtemp(prefix="bench-"))
        with (self._scratch / "said.txt").open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bench.many.child"],
                cwd=PROJECT,
                env={**whole_environment(), "TMPDIR": str(self._scratch)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                encoding="utf-8",
                start_new_session=True,
            )

    def _bury(self) -> str:
        """Take away what a dead process has left; return how it ended."""
        process, self._process = self._process, None
        assert process is not None
        _signal_group(process.pid)
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        said = self._last_words()
        shutil.rmtree(self._scratch, ignore_errors=True)
        return f"its process ended with {signal.Signals(-code).name if code < 0 else f'exit code {code}'}{said}"

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            text = (self._scratch / "said.txt").read_text(encoding="utf-8", errors="replace")
            words = [line.strip() for line in text.splitlines() if line.strip()]
            return f": {words[-1][:LAST_WORDS]}" if words else ""
        return ""  # it has tidied up by itself


def _signal_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
