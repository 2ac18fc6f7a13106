"""Running code that a model wrote: hand it over, read what it prints, say how it ended."""

import codecs
import contextlib
import json
import os
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from config import environment_of
from sandbox.files.root import Refusal, Root
from sandbox.running import launcher
from sandbox.running.look import AVAILABLE, after, look

PASSED_ON = ("TZ", "SYSTEMROOT", *launcher.PASSED_ON)  # of the person's environment
SLICE_SECONDS = 0.05  # how often the limits are looked at
LONGEST_COMMAND_LINE = 100_000  # bytes; Linux refuses one argument of 131,072 (execve(2), MAX_ARG_STRLEN)
TIMES_TOO_MUCH = 100  # a program that prints this many times what is kept will not stop by itself


class Limits(NamedTuple):
    """What one run of code may use. Zero or less means none at all, never "no limit"."""

    seconds: float = 30.0
    memory_bytes: int = 512 * 2**20
    output_bytes: int = 100_000  # kept of each stream; past 100 times this the run is killed
    processes: int = 64
    file_bytes: int = 64 * 2**20


class Outcome(NamedTuple):
    """How one run of code ended. `exit_code` is None when a signal or a limit ended it."""

    stdout: str
    stderr: str
    exit_code: int | None
    signal: int | None
    stopped_for: str | None  # None | "time" | "memory" | "output" | "processes" | "disk" | "cancelled"
    seconds: float
    notes: tuple[str, ...] = ()


def run_python(
    root: Root,
    arguments: Sequence[str],
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    cancelled: threading.Event | None = None,
    on_output: Callable[[bytes], None] | None = None,
    readable: Sequence[Path] = (),
    environment: Mapping[str, str] = {},  # noqa: B006 - never written to
) -> Outcome:
    """Run `python -s *arguments` in the working directory, behind the walls of `levels.level()`, and wait for it.

    Standard input is the null device. `on_output` gets standard output as it comes. `readable` names more directories
    that the code may read. Whatever the code does, this returns. Raises Refusal for arguments that no command line can
    carry, and when the sandbox could not be set up (nothing of the code ran then).
    """
    _refuse_impossible(arguments)
    started = time.monotonic()
    with contextlib.closing(root.again()) as held:
        top = held.fileno() if AVAILABLE else -1
        status, where = held.status(), _where(root, top)
        before = look(top, where, mounts=sys.platform == "linux" and _supervisor().walls.namespaces)
        job = {
            "command": [sys.executable, "-s", *arguments],
            "directory": where,
            "identity": [status.st_dev, status.st_ino],
            "limits": limits._asdict(),
            "readable": [os.path.realpath(path) for path in readable],
            "environment": {**environment_inside(), **environment},
            "protected": before.guarded,
        }
        with Streams(limits.output_bytes, on_output) as streams:
            answer = _run(job, streams, cancelled or root.cancelled)
        notes = after(top, before, root.quarantine)
    outcome = _outcome(answer, streams, time.monotonic() - started, notes)
    if outcome.exit_code != 0 and before.guarded:
        from sandbox.running.quarantine import why_it_failed

        outcome = outcome._replace(notes=(*outcome.notes, *why_it_failed(outcome.stderr)))
    return outcome


def _run(job: dict[str, Any], streams: "Streams", cancelled: threading.Event) -> dict[str, Any]:
    """The answer of whoever watched the run; its output is in `streams`."""
    if sys.platform == "win32":
        from sandbox.walls import job_object  # with ctypes, which no other system needs here

        return job_object.run(job, streams, cancelled)
    with _launch(job, streams) as channel:
        answer = _until_answered(channel, streams, cancelled)
    while not streams.too_much() and streams.selector.get_map() and streams.read(0):
        pass  # what is in the pipes now: all writers are dead, and the end of file is never waited for
    return answer


def _where(root: Root, held: int) -> str:
    """The path of the directory that is held, wherever it is now. Whoever opens it looks whether it is the same."""
    with contextlib.suppress(OSError):
        if sys.platform == "linux":
            return os.readlink(f"/proc/self/fd/{held}")
        if sys.platform == "darwin":
            import fcntl

            return os.fsdecode(fcntl.fcntl(held, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.path.realpath(root.path)


def _supervisor() -> launcher.Supervisor:
    try:
        return launcher.supervisor()
    except launcher.SandboxFailed as error:
        raise Refusal(f"The sandbox could not be started, so nothing was run: {error}", "sandbox") from error


def _launch(job: dict[str, Any], streams: "Streams") -> socket.socket:
    """Hand the run to the supervisor; once more when that has just died (nothing ran then)."""
    for _ in range(2):
        current, command = _supervisor(), job["command"]
        if current.walls.seatbelt:
            from sandbox.walls import seatbelt

            command = seatbelt.around(command, job["directory"], job["readable"])
        try:
            return current.launch({**job, "command": command}, *streams.theirs)
        except OSError:
            launcher.forget(current)
    raise Refusal("The sandbox's supervisor ended twice before it took the run; nothing was run", "sandbox")


def _until_answered(channel: socket.socket, streams: "Streams", cancelled: threading.Event) -> dict[str, Any]:
    """Read output until the answer comes. An empty answer when whoever should give it was killed."""
    streams.close_theirs()
    answer, told = bytearray(), False
    streams.selector.register(channel, selectors.EVENT_READ)
    while True:
        if channel in streams.read(SLICE_SECONDS):
            part = b""
            with contextlib.suppress(ConnectionResetError):  # our word to stop came after the end, and nobody read it
                part = channel.recv(65536)
            answer += part
            if not part:
                break
        reason = b"c" if cancelled.is_set() else b"o" if streams.too_much() else None
        if reason and not told:
            told = True
            with contextlib.suppress(OSError):
                channel.sendall(reason)
    streams.selector.unregister(channel)
    return json.loads(answer) if answer else {}


def _outcome(answer: dict[str, Any], streams: "Streams", seconds: float, notes: list[str]) -> Outcome:
    if "failed" in answer:
        raise Refusal(f"The sandbox could not be set up, so nothing was run: {answer['failed']}", "sandbox")
    code, stopped = answer.get("code", -signal.SIGKILL), answer.get("stopped")
    if stopped == "abandoned":
        answer, stopped = {}, None
    if not answer:
        notes = [*notes, "The process that watched the run was killed, and the run with it."]
    if code and not answer.get("fork", True):
        notes = [*notes, "Code cannot start other processes on this system (root without namespaces); threads work."]
    stopped = stopped or ("output" if streams.too_much() else None)
    ended = code if code >= 0 and not stopped else None
    stdout, stderr = (kept.text() for kept in streams.kept)
    return Outcome(stdout, stderr, ended, -code if code < 0 else None, stopped, seconds, tuple(notes))


def _refuse_impossible(arguments: Sequence[str]) -> None:
    if any("\0" in argument for argument in arguments):
        raise Refusal("Cannot run with an argument that holds a NUL character", "name")
    try:
        size = sum(len(os.fsencode(argument)) + 1 for argument in arguments)
    except UnicodeEncodeError:
        raise Refusal("Cannot run with an argument that is not valid Unicode text", "name") from None
    if size > LONGEST_COMMAND_LINE:
        raise Refusal(f"Cannot run with more than {LONGEST_COMMAND_LINE} bytes of arguments", "too_large")


def environment_inside() -> dict[str, str]:
    """Built from nothing, so that no secret of the person's environment is ever passed on by being forgotten.

    HOME and the temporary directory are added where the run's private directory is made.
    """
    fixed = {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_COLOR": "1",
        **dict.fromkeys(("USER", "LOGNAME"), "user"),  # getpass.getuser: there is no /etc/passwd to look into
        "MALLOC_ARENA_MAX": "2",  # each thread's own arena takes 64 MiB of addresses, and addresses are limited
        # numpy else starts a thread for each processor, with 32 MiB of addresses each
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "4"),
    }
    return fixed | environment_of(PASSED_ON)


class Streams:
    """Standard output and error of one run: two pipes, read as they fill, kept in bounded memory."""

    def __init__(self, limit: int, on_output: Callable[[bytes], None] | None) -> None:
        self.most, self.on_output = TIMES_TOO_MUCH * limit, on_output
        self.kept = (Kept(limit), Kept(limit))
        self.selector = selectors.DefaultSelector()
        pipes = [os.pipe() for _ in self.kept]
        self.ours, self.theirs = [ours for ours, _ in pipes], [theirs for _, theirs in pipes]
        for number, ours in enumerate(self.ours):
            os.set_blocking(ours, False)
            self.selector.register(ours, selectors.EVENT_READ, number)

    def __enter__(self) -> "Streams":
        return self

    def __exit__(self, *_: object) -> None:
        self.selector.close()
        self.close_theirs()
        for descriptor in self.ours:
            os.close(descriptor)

    def close_theirs(self) -> None:
        while self.theirs:
            os.close(self.theirs.pop())

    def too_much(self) -> bool:
        return max(kept.total for kept in self.kept) > self.most

    def read(self, timeout: float) -> list[object]:
        """Read what is there. Everything that was ready."""
        ready = self.selector.select(timeout)
        for key, _ in ready:
            if key.data is not None:
                with contextlib.suppress(BlockingIOError):
                    if data := os.read(key.fd, 65536):
                        self.take(key.data, data)
                    else:
                        self.selector.unregister(key.fd)
        return [key.fileobj for key, _ in ready]

    def take(self, number: int, data: bytes) -> None:
        self.kept[number].add(data)
        if number == 0 and self.on_output:
            self.on_output(data)


class Kept:
    """The first and last `limit / 2` bytes of a stream of any length, in bounded memory; the middle is counted.

    A model needs the head (what was it doing?) and the tail (the traceback). Memory stays below about twice `limit`.
    """

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._head_limit, self._tail_limit = limit - limit // 2, limit // 2
        self._head, self._tail = bytearray(), bytearray()

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = max(self._head_limit - len(self._head), 0)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * self._tail_limit:
            del self._tail[: len(self._tail) - self._tail_limit]

    def text(self) -> str:
        """The stream as UTF-8 text; what is not UTF-8 is shown as backslash escapes, a cut middle as one line."""
        tail = self._tail[max(len(self._tail) - self._tail_limit, 0) :]
        missing = self.total - len(self._head) - len(tail)
        if not missing:
            return (self._head + tail).decode("utf-8", "backslashreplace")
        # without half a character at the cut
        whole = codecs.getincrementaldecoder("utf-8")("backslashreplace").decode(bytes(self._head))
        end = tail.lstrip(bytes(range(0x80, 0xC0))).decode("utf-8", "backslashreplace")
        return f"{whole}\n[... {missing} bytes in the middle are not shown ...]\n{end}"
