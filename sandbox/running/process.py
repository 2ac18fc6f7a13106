"""Running code that a model wrote: launch, watch, limit, kill."""

import contextlib
import errno
import json
import os
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from config import environment_of
from sandbox.files.root import Refusal, Root
from sandbox.running import launcher, quarantine
from sandbox.running.output import Streams
from sandbox.walls import seatbelt

if sys.platform == "darwin":
    import fcntl

PASSED_ON = ("TZ", "SYSTEMROOT", *launcher.PASSED_ON)  # of the person's environment
SLICE_SECONDS = 0.05  # how often the limits are looked at
_GUARDED_ERRORS = (os.strerror(errno.EROFS), os.strerror(errno.EBUSY))
GUARDED = (
    "Code cannot change repositories, installed packages (virtual environments, node_modules), and files that have "
    "another name outside the working directory (hard links)."
)
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
        top = held.fileno() if quarantine.AVAILABLE else -1
        status = held.status()
        before = quarantine.look(top, mounts=_mounts())
        job = {
            "command": [sys.executable, "-s", *arguments],
            "directory": _where(root, top),
            "identity": [status.st_dev, status.st_ino],
            "limits": asdict(limits),
            "readable": [os.path.realpath(path) for path in readable],
            "environment": {**environment_inside(), **environment},
            "protected": before.guarded,
        }
        with Streams(limits.output_bytes, on_output) as streams:
            answer = _run(job, streams, cancelled or root.cancelled)
        notes = quarantine.check(top, before)
    outcome = _outcome(answer, streams, time.monotonic() - started, notes)
    return outcome if outcome.exit_code == 0 else _with_what_was_guarded(outcome, before)


def _run(job: dict[str, Any], streams: Streams, cancelled: threading.Event) -> dict[str, Any]:
    """The answer of whoever watched the run; its output is in `streams`."""
    if sys.platform == "win32":
        from sandbox.walls import job_object  # with ctypes, which no other system needs here

        return job_object.run(job, streams, cancelled)
    with _launch(job, streams) as channel:
        answer = _until_answered(channel, streams, cancelled)
    streams.read_what_is_left()
    return answer


def _where(root: Root, held: int) -> str:
    """The path of the directory that is held, wherever it is now. Whoever opens it looks whether it is the same."""
    with contextlib.suppress(OSError):
        if sys.platform == "linux":
            return os.readlink(f"/proc/self/fd/{held}")
        if sys.platform == "darwin":
            return os.fsdecode(fcntl.fcntl(held, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.path.realpath(root.path)


def _mounts() -> bool:
    return sys.platform == "linux" and _supervisor().walls.namespaces


def _supervisor() -> launcher.Supervisor:
    try:
        return launcher.supervisor()
    except launcher.SandboxFailed as error:
        raise Refusal(f"The sandbox could not be started, so nothing was run: {error}", "sandbox") from error


def _launch(job: dict[str, Any], streams: Streams) -> socket.socket:
    """Hand the run to the supervisor; once more when that has just died (nothing ran then)."""
    for _ in range(2):
        current, command = _supervisor(), job["command"]
        if current.walls.seatbelt:
            command = seatbelt.around(command, job["directory"], job["readable"])
        try:
            return current.launch({**job, "command": command}, *streams.theirs)
        except OSError:
            launcher.forget(current)
    raise Refusal("The sandbox's supervisor ended twice before it took the run; nothing was run", "sandbox")


def _until_answered(channel: socket.socket, streams: Streams, cancelled: threading.Event | None) -> dict[str, Any]:
    """Read output until the answer comes. An empty answer when whoever should give it was killed."""
    streams.close_theirs()
    answer, told = bytearray(), False
    streams.selector.register(channel, selectors.EVENT_READ)
    while True:
        if streams.read(SLICE_SECONDS, channel):
            part = channel.recv(65536)
            answer += part
            if not part:
                break
        reason = b"c" if cancelled is not None and cancelled.is_set() else b"o" if streams.too_much() else None
        if reason and not told:
            told = True
            with contextlib.suppress(OSError):
                channel.sendall(reason)
    streams.selector.unregister(channel)
    return json.loads(answer) if answer else {}


def _outcome(answer: dict[str, Any], streams: Streams, seconds: float, notes: list[str]) -> Outcome:
    if "failed" in answer:
        raise Refusal(f"The sandbox could not be set up, so nothing was run: {answer['failed']}", "sandbox")
    code, stopped = answer.get("code", -signal.SIGKILL), answer.get("stopped")
    if stopped == "abandoned":
        answer, stopped = {}, None
    if not answer:
        notes = [*notes, "The process that watched the run was killed, and the run with it."]
    if code and not answer.get("fork", True):
        notes = [*notes, "Code cannot start other processes on this system (root without namespaces); threads work."]
    if streams.too_much():
        stopped = stopped or "output"
    return Outcome(
        stdout=streams.kept[0].text(),
        stderr=streams.kept[1].text(),
        exit_code=code if code >= 0 and not stopped else None,
        signal=-code if code < 0 else None,
        stopped_for=stopped,
        seconds=seconds,
        notes=tuple(notes),
    )


def _with_what_was_guarded(outcome: Outcome, before: quarantine.Before) -> Outcome:
    """A program that failed on what no code may change is told so: the system's own words would mislead it."""
    if not before.guarded or not any(words in outcome.stderr for words in _GUARDED_ERRORS):
        return outcome
    return replace(outcome, notes=(*outcome.notes, GUARDED))


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
        "USER": "user",  # getpass.getuser: there is no /etc/passwd to look into
        "LOGNAME": "user",
        "MALLOC_ARENA_MAX": "2",  # each thread's own arena takes 64 MiB of addresses, and addresses are limited
        "OMP_NUM_THREADS": "4",  # numpy else starts one for each processor, with 32 MiB of addresses each
        "OPENBLAS_NUM_THREADS": "4",
    }
    return fixed | environment_of(PASSED_ON)
