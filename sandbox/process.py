"""Running code that a model wrote: launch, watch, limit, kill."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.output import Kept

if TYPE_CHECKING:
    from sandbox.files import Root

SLICE_SECONDS = 0.05  # how often the limits are looked at
LONGEST_COMMAND_LINE = 100_000  # bytes; Linux refuses one argument of 131,072 (execve(2), MAX_ARG_STRLEN)


@dataclass(frozen=True)
class Limits:
    """What one run of code may use. Zero or less means none at all, never "no limit"."""

    seconds: float = 30.0
    memory_bytes: int = 512 * 2**20
    output_bytes: int = 100_000  # kept of each stream; past 100 times this the run is killed
    processes: int = 64
    file_bytes: int = 64 * 2**20


@dataclass(frozen=True)
class Outcome:
    """How one run of code ended. `exit_code` is None when a signal or a limit ended it."""

    stdout: str
    stderr: str
    exit_code: int | None
    signal: int | None
    stopped_for: str | None  # None | "time" | "memory" | "output" | "processes" | "disk" | "cancelled"
    seconds: float
    notes: tuple[str, ...] = ()


def run_python(
    root: "Root",
    arguments: Sequence[str],
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    cancelled: threading.Event | None = None,
    on_output: Callable[[bytes], None] | None = None,
    readable: Sequence[Path] = (),
    environment: Mapping[str, str] = {},  # noqa: B006 - never written to
) -> Outcome:
    """Run `python -s *arguments` in the working directory and wait for it. Whatever the code does, this returns.

    Standard input is the null device. `on_output` gets standard output as it comes. `readable` names more directories
    that the code may read. Raises Refusal for arguments that no command line can carry.
    """
    _refuse_impossible(arguments)
    started = time.monotonic()
    cancelled = cancelled or root.cancelled
    with tempfile.TemporaryDirectory(prefix="glassbox-", ignore_cleanup_errors=True) as temporary:
        process = subprocess.Popen(
            [sys.executable, "-s", *arguments],
            cwd=root.path,
            env={**_environment(temporary), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        watch = _Watch(process, limits, cancelled, on_output)
        try:
            watch.until_the_end()
        finally:
            _kill_group(process)
            watch.read_what_is_left()
            for stream in (process.stdout, process.stderr):
                stream.close()
    code = process.returncode
    stopped = watch.stopped_for
    return Outcome(
        stdout=watch.kept[0].text(),
        stderr=watch.kept[1].text(),
        exit_code=code if code >= 0 and not stopped else None,
        signal=-code if code < 0 else None,
        stopped_for=stopped,
        seconds=time.monotonic() - started,
    )


class _Watch:
    """Reads both streams and looks at the limits until the process itself (not its streams) has ended."""

    def __init__(
        self,
        process: subprocess.Popen,
        limits: Limits,
        cancelled: threading.Event | None,
        on_output: Callable[[bytes], None] | None,
    ) -> None:
        self.process, self.limits, self.cancelled, self.on_output = process, limits, cancelled, on_output
        self.deadline = time.monotonic() + limits.seconds
        self.kept = (Kept(limits.output_bytes), Kept(limits.output_bytes))
        self.stopped_for: str | None = None
        self.selector = selectors.DefaultSelector()
        for number, stream in enumerate((process.stdout, process.stderr)):
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, selectors.EVENT_READ, number)

    def until_the_end(self) -> None:
        while self.process.poll() is None:
            self.stopped_for = self._limit_reached()
            if self.stopped_for:
                return
            if not self.selector.get_map():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(SLICE_SECONDS)
                continue
            self._read(SLICE_SECONDS)

    def read_what_is_left(self) -> None:
        """What is in the pipes now; never waits for the end of file, which a daemon could hold back for ever."""
        while self.selector.get_map() and self._read(0):
            if max(kept.total for kept in self.kept) > 100 * self.limits.output_bytes:
                break
        self.selector.close()

    def _read(self, timeout: float) -> bool:
        ready = self.selector.select(timeout)
        for key, _ in ready:
            try:
                data = os.read(key.fd, 65536)
            except BlockingIOError:
                continue
            if not data:
                self.selector.unregister(key.fileobj)
                continue
            self.kept[key.data].add(data)
            if key.data == 0 and self.on_output:
                self.on_output(data)
        return bool(ready)

    def _limit_reached(self) -> str | None:
        if self.cancelled is not None and self.cancelled.is_set():
            return "cancelled"
        if time.monotonic() > self.deadline:
            return "time"
        if max(kept.total for kept in self.kept) > 100 * self.limits.output_bytes:
            return "output"
        return None


def _refuse_impossible(arguments: Sequence[str]) -> None:
    if any("\0" in argument for argument in arguments):
        raise _refusal("Cannot run with an argument that holds a NUL character", "name")
    if sum(len(argument.encode("utf-8", "replace")) + 1 for argument in arguments) > LONGEST_COMMAND_LINE:
        raise _refusal(f"Cannot run with more than {LONGEST_COMMAND_LINE} bytes of arguments", "too_large")


def _refusal(sentence: str, reason: str) -> Exception:
    from sandbox.files import Refusal

    return Refusal(sentence, reason)


def _environment(temporary: str) -> dict[str, str]:
    """Built from nothing, so that no secret of the person's environment is ever passed on by being forgotten."""
    return {
        "PATH": os.defpath,
        "HOME": temporary,
        "TMPDIR": temporary,
        "TEMP": temporary,
        "TMP": temporary,
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_COLOR": "1",
        "MALLOC_ARENA_MAX": "2",
    } | {name: os.environ[name] for name in ("TZ", "SYSTEMROOT") if name in os.environ}


def _kill_group(process: subprocess.Popen) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
