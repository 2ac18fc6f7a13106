"""One run of code: launch it behind the walls, watch it, end it, answer. A child of the supervisor, used once.

It is made before it is needed (namespaces and rules take longer than the rest together) and then waits for a run. The
answer goes to the agent on a socket that the script never has, so a script cannot forge how it ended.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any

from sandbox import confine, temporary, watch
from sandbox.confine import Walls

if sys.platform == "linux":
    from sandbox import kernel, landlock, namespaces

AFTER_INTERRUPT_SECONDS = 0.3  # between SIGINT, which shows the model where its code hung, and SIGKILL


class Runner:
    """Everything that can be done before the run is known."""

    def __init__(self, settings: dict[str, Any], walls: Walls) -> None:
        self.settings, self.walls = settings, walls
        self.first_process: int | None = None
        self.ruleset: Any = None
        self.parent_of_temporary = os.open(settings["temporary"], os.O_RDONLY | os.O_DIRECTORY)
        self.wakeup = -1
        self.process = os.getpid()
        if sys.platform != "linux":
            return
        self.processes = _processes_of_this_user() if os.geteuid() and not walls.namespaces else 8
        parent = os.getppid()
        if walls.namespaces:
            namespaces.enter()
            self.first_process = namespaces.start_first_process()
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        kernel.die_with_parent(signal.SIGTERM, parent)
        if walls.landlock:
            self.ruleset = landlock.Ruleset(walls.landlock)
            for path, rights in landlock.python_and_libraries(settings["executable"], settings["prefixes"]):
                self.ruleset.allow(path, rights)

    def run(self, channel: socket.socket, stdout: int, stderr: int) -> None:
        """Serve one run, from the request on the channel to the answer on it."""
        self.wakeup = _wake_on_signals()
        channel.sendall(b"T")  # taken: from here on asking again would run the code twice
        job = _receive(channel)
        name = temporary.make(self.parent_of_temporary)
        try:
            answer = self._serve(job, channel, (stdout, stderr), os.path.join(self.settings["temporary"], name))
        except OSError as error:
            answer = {"failed": str(error)}
        finally:
            self.end_all()
            with contextlib.suppress(OSError):
                if self.walls.namespaces:
                    kernel.unmount(os.path.join(self.settings["temporary"], name))  # a mount point cannot be removed
                temporary.remove(name, self.parent_of_temporary)
        with contextlib.suppress(OSError):
            channel.sendall(json.dumps(answer).encode())

    def _serve(self, job: dict, channel: socket.socket, streams: tuple[int, int], private: str) -> dict[str, Any]:
        places = [job["directory"], private]
        if self.walls.namespaces:
            for place in places:
                namespaces.make_writable(place)
        directory = _open_the_same(job["directory"], job["identity"])
        look = watch.Watch(job["limits"], places, self.first_process)
        process = self._launch(job, directory, streams, private)
        for descriptor in (*streams, directory):
            os.close(descriptor)
        return self._watch(process, job["limits"]["seconds"], channel, look)

    def _launch(self, job: dict, directory: int, streams: tuple[int, int], private: str) -> int:
        """The process number of the script. OSError, before any of its code ran, when a wall did not stand."""
        told, tell = os.pipe()
        process = os.fork()
        if process == 0:
            try:
                self._become(job, directory, streams, private)
            except BaseException as error:
                os.write(tell, f"{type(error).__name__}: {error}".encode())
            finally:
                os._exit(127)
        os.close(tell)
        with os.fdopen(told, "rb") as file:
            problem = file.read()  # ends with the exec, which closes the other end
        if problem:
            raise OSError(problem.decode(errors="replace"))
        return process

    def _become(self, job: dict, directory: int, streams: tuple[int, int], private: str) -> None:
        parent = 0 if self.walls.namespaces else self.process  # whose number does not exist in there
        os.setsid()
        confine.take_streams(*streams)
        os.fchdir(directory)
        os.umask(0o022)
        confine.reset_signals()
        if sys.platform == "linux":
            kernel.die_with_parent(signal.SIGKILL, parent)
            confine.limit(job["limits"], self.processes + job["limits"]["processes"])
            writable = [private] + ["/dev/shm"] * self.walls.namespaces
            confine.raise_walls(self.walls, self.ruleset, writable, job["readable"], directory)
        else:
            confine.limit(job["limits"], 10_000)
        home = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), private)
        command = [text.replace("{private}", private) for text in job["prefix"]] + job["command"]
        os.execve(command[0], command, {**home, **job["environment"]})

    def _watch(self, process: int, seconds: float, channel: socket.socket, look: watch.Watch) -> dict[str, Any]:
        """Wait for the process itself, not for the end of its streams, which a daemon can hold open for ever."""
        deadline = time.monotonic() + seconds
        stopped: str | None = None
        status = None
        while status is None:
            status = self._reap(process)
            if status is not None:
                break
            if stopped == "time" and time.monotonic() > deadline:
                break
            elif not stopped and time.monotonic() > deadline:
                stopped, deadline = "time", time.monotonic() + AFTER_INTERRUPT_SECONDS
                os.kill(process, signal.SIGINT)
            over = self._told_to_stop(channel) or (look.exceeded() if sys.platform == "linux" else None)
            if over:
                stopped = stopped or over
                break
        if status is None:
            status = self.end_all(process)
        code = os.waitstatus_to_exitcode(status)
        return {"code": code, "stopped": stopped}

    def _told_to_stop(self, channel: socket.socket) -> str | None:
        """Sleep for a tick, or less when a child ends; what the agent said meanwhile."""
        ready, _, _ = select.select([channel, self.wakeup], [], [], watch.TICK_SECONDS)
        if self.wakeup in ready and signal.SIGTERM in os.read(self.wakeup, 4096):
            return "abandoned"
        if channel in ready:
            return {b"c": "cancelled", b"o": "output"}.get(channel.recv(1), "abandoned")
        return None

    def _reap(self, process: int) -> int | None:
        """Bury who has died (orphans come to us); the status of the process, once it has ended."""
        with contextlib.suppress(ChildProcessError):
            while True:
                number, status = os.waitpid(-1, os.WNOHANG)
                if number == process:
                    return status
                if number == 0:
                    break
        return None

    def end_all(self, process: int | None = None) -> int:
        """Kill and reap until no descendant is left. The status of `process` when it is among them."""
        found = -1
        while True:
            if self.first_process is not None:
                _kill(self.first_process)
            elif process is not None:
                with contextlib.suppress(OSError):
                    os.killpg(process, signal.SIGKILL)
            for number in watch.descendants(self.process):
                _kill(number)
            try:
                number, status = os.waitpid(-1, 0)
            except ChildProcessError:
                return found
            if number == process:
                found = status


def _kill(process: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)


def _wake_on_signals() -> int:
    """A descriptor that becomes readable when a child ends or when we are told to go. signal.set_wakeup_fd."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    return readable


def _receive(channel: socket.socket) -> dict[str, Any]:
    data = bytearray()
    while not data.endswith(b"\n"):
        part = channel.recv(1 << 20)
        if not part:
            raise SystemExit("the agent has gone")
        data += part
    return json.loads(data)


def _open_the_same(path: str, identity: list[int]) -> int:
    """The working directory by its path, if that still leads to the directory which the agent holds."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    status = os.fstat(descriptor)
    if [status.st_dev, status.st_ino] != identity:
        raise OSError("the working directory was replaced by another")
    return descriptor


def _processes_of_this_user() -> int:
    """Tasks that the user has already: RLIMIT_NPROC counts them all, not only ours."""
    count, user = 0, os.geteuid()
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == user:
                    count += len(watch.threads(int(name)))
    return count
