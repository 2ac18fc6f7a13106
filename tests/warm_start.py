"""main.py as a person starts it, but for the loading of the SDKs, which is most of a start: one process has loaded them,
and each run is a process that forks from it. Nothing of this project is loaded there, so each run executes the main.py
that is there, from its first line, with streams, arguments, environment and exit of its own.

As a script it is given the descriptor of a socket, which it serves, and what to load: each message is JSON as [main.py,
its arguments, where, environment, whether in a session of its own], with four descriptors: standard input, output and
error, and where the process's number and exit are told.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

SDKS = ("openai", "google.genai")
AT_START = ("PYTHON", "LANG", "LC_")  # what Python reads of the environment while it starts


class Started:
    """A run that goes on: what of `subprocess.Popen` a test that kills needs."""

    def __init__(self, told: int) -> None:
        self._told = os.fdopen(told, encoding="utf-8")
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def wait(self, seconds: float | None = None) -> int:
        """Its exit, as `returncode` is; TimeoutExpired when it goes on for longer."""
        if self.returncode is None:
            if not select.select([self._told], [], [], seconds)[0]:
                raise subprocess.TimeoutExpired("main.py", seconds or 0.0)
            with self._told:
                self.returncode = os.waitstatus_to_exitcode(int(self._told.readline()))
        return self.returncode

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def send_signal(self, number: int) -> None:
        """Nothing where it has ended, so that no other process can be meant."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class WarmStart:
    """Close it at the end. Safe for several threads. `packages` are loaded as far as they are installed."""

    def __init__(self, packages: Sequence[str] = SDKS) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._environment, self._control = dict(os.environ), ours
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno()), *packages]
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], **streams)

    def can(self, environment: Mapping[str, str]) -> bool:
        """Whether a Python that was started with this environment is like the one that the runs fork from."""
        names = {name for name in {*environment, *self._environment} if name.startswith(AT_START)}
        return all(environment.get(name) == self._environment.get(name) for name in names)

    def _order(
        self,
        main: Path,
        arguments: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        streams: list[int],
        apart: bool = False,
    ) -> int:
        """Have it begun with these streams, which are closed here; return where its number and its exit are told."""
        told, tell = os.pipe()
        order = json.dumps([str(main), list(arguments), str(cwd), dict(environment), apart]).encode()
        socket.send_fds(self._control, [order], [*streams, tell])
        for end in (*streams, tell):
            os.close(end)
        return told

    def start(
        self,
        main: Path,
        arguments: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        *outputs: BinaryIO,
    ) -> Started:
        """As `subprocess.Popen` in a session of its own, with no input; `outputs` are where standard output and standard
        error go, else nowhere."""
        streams = [os.open(os.devnull, os.O_RDWR), *(os.dup(each.fileno()) for each in outputs)]
        streams += [os.open(os.devnull, os.O_RDWR) for _ in range(3 - len(streams))]
        return Started(self._order(main, arguments, cwd, environment, streams, apart=True))

    def run(
        self, main: Path, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], said: str, seconds: float
    ) -> subprocess.CompletedProcess[str]:
        """As `subprocess.run` with a time limit, which is to be reached by nothing but a hang."""
        (stdin, to), (out, stdout), (err, stderr) = (os.pipe() for _ in range(3))
        told = self._order(main, arguments, cwd, environment, [stdin, stdout, stderr])
        texts = ["", ""]

        def read(number: int, end: int) -> None:
            with os.fdopen(end, encoding="utf-8") as stream:
                texts[number] = stream.read()

        def write() -> None:
            with contextlib.suppress(BrokenPipeError), os.fdopen(to, "w", encoding="utf-8") as stream:
                stream.write(said)

        with os.fdopen(told, encoding="utf-8") as status:
            process = int(status.readline())
            late = threading.Timer(seconds, os.kill, (process, signal.SIGKILL))
            late.start()
            threads = [threading.Thread(target=read, args=one) for one in ((0, out), (1, err))]
            threads.append(threading.Thread(target=write))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            code = os.waitstatus_to_exitcode(int(status.readline()))
        assert late.is_alive(), f"{main} {arguments} took longer than {seconds:.0f} s: {texts}"
        late.cancel()
        return subprocess.CompletedProcess([str(main), *arguments], code, *texts)

    def close(self) -> None:
        self._control.close()
        self._server.communicate()


def forked(control: socket.socket) -> tuple[bytes, list[int]]:
    """In the server: never return. In a process that forks from it for a run: return the order, and the descriptors."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those who wait for the runs are not waited for
    while True:
        order, descriptors, _, _ = socket.recv_fds(control, 1 << 20, 4)
        if not order:
            os._exit(0)
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            process = os.fork()
            if not process:
                return order, descriptors
            for each in descriptors[:3]:
                os.close(each)
            os.write(descriptors[3], f"{process}\n".encode())
            os.write(descriptors[3], f"{os.waitpid(process, 0)[1]}\n".encode())
            os._exit(0)
        for each in descriptors:
            os.close(each)


if __name__ == "__main__":
    for package in sys.argv[2:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    gc.collect()
    gc.freeze()
    said, ends = forked(socket.socket(fileno=int(sys.argv[1])))
    program, words, place, names, apart = json.loads(said)
    if apart:
        os.setsid()
    for number, end in enumerate(ends):
        if number < 3:
            os.dup2(end, number)
        os.close(end)
    os.environ.clear()
    os.environ.update(names)
    os.chdir(place)
    sys.argv, sys.path[0] = [program, *words], str(Path(program).parent)
    runpy.run_path(program, run_name="__main__")
