"""The agent's end of the supervisor: start it once, hand it each run, notice when it has gone.

`preexec_fn` is unsafe beside threads, and a second interpreter for every run costs more than the walls themselves; so
one small process is started early, while the model is still thinking, and forks for each run.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection
from pathlib import Path
from typing import Any

from config import environment_of
from sandbox.running.frames import LENGTH
from sandbox.walls import Walls

_NEWEST_LANDLOCK = 1_000
START_SECONDS = 20
PASSED_ON = ("LD_LIBRARY_PATH",)  # of the environment: where some builds of Python find themselves
_FITS = 16384  # bytes that the buffer of a socket surely takes, socket(7)


class SandboxFailed(Exception):
    """The sandbox could not be set up; nothing of the code ran."""


class Supervisor:
    """A supervisor process and the socket to it. For tests of the levels: `hidden` are walls, by their fields in
    `Walls`, that it must pretend not to find, `landlock_at_most` a version to pretend."""

    def __init__(self, hidden: Collection[str] = (), landlock_at_most: int = _NEWEST_LANDLOCK) -> None:
        if sys.platform == "linux" and not os.path.isdir("/proc/self/task"):
            raise SandboxFailed("there is no /proc here, without which no process can be watched and ended")
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        settings = {
            "agent": os.getpid(),
            "hidden": sorted(hidden),
            "landlock_at_most": landlock_at_most,
            "temporary": os.path.realpath(tempfile.gettempdir()),
            "executable": sys.executable,
            "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}),
        }
        # The kernel tells a child that its parent died when the *thread* that made it ends, PR_SET_PDEATHSIG(2const):
        # so it is started by a thread that does nothing but wait for it.
        threading.Thread(target=self._keep, args=(theirs, settings), name="sandbox supervisor", daemon=True).start()
        self._socket.settimeout(START_SECONDS)
        try:
            answer = self._socket.recv(65536)
            if not answer:
                raise EOFError("it ended at its start")
        except (OSError, EOFError) as error:
            self.close()
            raise SandboxFailed(f"the supervisor did not answer: {error}") from error
        self._socket.settimeout(None)
        told = json.loads(answer)
        self.process: int = told.pop("process")
        self.walls = Walls(**told)

    def _keep(self, theirs: socket.socket, settings: dict[str, Any]) -> None:
        program = Path(__file__).with_name("supervisor.py")
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-X", "utf8", "-I", "-S", str(program), str(theirs.fileno()), json.dumps(settings)],
                pass_fds=[theirs.fileno()],
                cwd="/",
                env={"PATH": os.defpath} | environment_of(PASSED_ON),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        process.wait()

    def launch(self, job: dict[str, Any], stdout: int, stderr: int) -> socket.socket:
        """Hand over a run and the two descriptors that it writes to. The socket on which the answer will come.

        ConnectionError when the supervisor has gone: then nothing of the code ran.
        """
        ours, theirs = socket.socketpair()
        line = framed(job)
        try:
            ours.sendall(line[:_FITS])  # in the buffer before anyone reads, so that the reader need not wait for it
            with theirs, self._lock:
                socket.send_fds(self._socket, [b"J"], [theirs.fileno(), stdout, stderr])
            if ours.recv(1) != b"T":
                raise ConnectionError("the supervisor ended before it took the run")
            if rest := line[_FITS:]:  # none: sending it fails where the run has ended, which would be run again
                ours.sendall(rest)
        except BaseException:
            ours.close()
            raise
        return ours

    def close(self) -> None:
        """End the supervisor, and every run that is under way in it."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def framed(value: dict[str, Any]) -> bytes:
    """A frame that holds this value; frames.py reads it."""
    data = json.dumps(value).encode()
    return b"%*d" % (LENGTH, len(data)) + data


_current: Supervisor | None = None
_current_lock = threading.Lock()


def supervisor() -> Supervisor:
    """The supervisor that runs are handed to, started when there is none."""
    global _current
    with _current_lock:
        if _current is None:
            _current = Supervisor()
        return _current


def forget(gone: Supervisor) -> None:
    """This one has gone; the next run starts another."""
    global _current
    with _current_lock:
        if _current is gone:
            _current = None
    gone.close()


def _in_a_forked_child() -> None:
    """A fork of the agent must not speak on its parent's socket."""
    global _current, _current_lock
    _current, _current_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_a_forked_child)
