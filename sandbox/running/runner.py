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
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from sandbox.running import disk, temporary, watch
from sandbox.running.frames import receive, rehearse, value_of
from sandbox.running.script import become_the_script
from sandbox.walls import Walls

if sys.platform == "linux":
    from sandbox.walls import kernel, namespaces

_CLEANING_SECONDS = 1
AFTER_INTERRUPT_SECONDS = 0.3  # between SIGINT, which shows the model where its code hung, and SIGKILL


class Runner:
    """Everything that can be done before the run is known; the process that will be the script waits too."""

    def __init__(self, settings: dict[str, Any], walls: Walls, supervisor: int) -> None:
        """`supervisor`: the process that forked this one, which may have died since."""
        self.settings, self.walls = settings, walls
        self.process, self.supervisor = os.getpid(), supervisor
        self.first_process: int | None = None
        self.cleaner: threading.Thread | None = None
        # opened before the mounts become read-only for us: through this descriptor they stay as they were
        self.parent_of_temporary = os.open(settings["temporary"], os.O_RDONLY | os.O_DIRECTORY)
        tasks = 8
        self.watcher: watch.Watcher | None = None
        if sys.platform == "linux":
            self.watcher = watch.Watcher(self.process)
            if walls.namespaces:
                self.covered = namespaces.enter()
                self.first_process = namespaces.start_first_process()
            elif os.geteuid():
                tasks = _tasks_of_this_user()
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
            kernel.die_with_parent(signal.SIGTERM, supervisor)
        self.orders, theirs = socket.socketpair()
        self.script = os.fork()
        if self.script == 0:
            self.orders.close()
            parent = 0 if walls.namespaces else self.process  # whose number does not exist in there
            become_the_script(theirs, settings, walls, parent, tasks)
        theirs.close()
        self.wakeup = _wake_when_a_child_ends()
        rehearse()
        if walls.namespaces:
            self._anything_left()

    def run(self, channel: socket.socket, stdout: int, stderr: int, tell_begun: Callable[[], None]) -> None:
        """Serve one run, from the request on the channel to the answer on it. `tell_begun` is called when the script
        has begun or cannot, and not before: whoever is told would take a processor from it."""
        if os.getppid() != self.supervisor:
            return  # it has died, and we are about to: the agent asks another
        signal.signal(signal.SIGTERM, _wake)  # from here on the run is ended first
        channel.sendall(b"T")  # taken: from here on asking again would run the code twice
        frame, _ = receive(channel)
        try:
            self._hand_over(frame, [stdout, stderr])
            with self._private_directory() as private:
                answer = self._serve(value_of(frame), channel, private, tell_begun)
        except OSError as error:
            answer = {"failed": str(error)}
        with contextlib.suppress(OSError):
            channel.sendall(json.dumps(answer).encode())
            channel.shutdown(socket.SHUT_RDWR)
        self.end_all()
        if self.cleaner:
            self.cleaner.join()

    @contextlib.contextmanager
    def _private_directory(self) -> Iterator[str]:
        """A temporary directory for this run alone. Afterwards no process of the run is left, and no directory; the
        answer does not wait for the rest of one that a program has made very large."""
        if self.walls.namespaces:
            try:
                yield namespaces.PRIVATE
            finally:
                if self._anything_left():
                    self.end_all()
            return
        name = temporary.make(self.parent_of_temporary)
        try:
            yield os.path.join(self.settings["temporary"], name)
        finally:
            self.end_all()
            self.cleaner = threading.Thread(target=self._remove, args=(name,))
            self.cleaner.start()
            self.cleaner.join(_CLEANING_SECONDS)

    def _remove(self, name: str) -> None:
        with contextlib.suppress(OSError):  # the run is over, and its answer matters more
            temporary.remove(name, self.parent_of_temporary)

    def _serve(
        self, job: dict[str, Any], channel: socket.socket, private: str, tell_begun: Callable[[], None]
    ) -> dict[str, Any]:
        try:
            if self.walls.namespaces:
                namespaces.make_writable(job["directory"], self.covered)
                for path in job["protected"]:  # repositories: what is written there runs later, outside
                    namespaces.make_read_only(os.path.join(job["directory"], path))
            directory = _open_the_same(job["directory"], job["identity"])
            begun = disk.Begun.now([os.dup(directory), os.open(private, os.O_RDONLY | os.O_DIRECTORY)])
            self._let_begin(directory, private)
        finally:
            tell_begun()
        return self._watch(job["limits"], channel, begun)

    def _hand_over(self, frame: bytes, streams: list[int]) -> None:
        """Give the script what the agent sent; it reads and prepares while the directory is made ready here."""
        with contextlib.suppress(BrokenPipeError):  # it has ended, and _let_begin hears why
            socket.send_fds(self.orders, [frame[:1]], streams)
            self.orders.sendall(frame[1:])
        for descriptor in streams:
            os.close(descriptor)

    def _let_begin(self, directory: int, private: str) -> None:
        """Let the script begin in this directory. OSError, before any of its code ran, when a wall did not stand."""
        with contextlib.suppress(BrokenPipeError):
            socket.send_fds(self.orders, [os.fsencode(private)], [directory])
        os.close(directory)
        problem = self.orders.recv(4096)  # ends with the exec, which closes the other end
        if problem:
            raise OSError(problem.decode(errors="replace"))

    def _watch(self, limits: dict[str, Any], channel: socket.socket, begun: disk.Begun) -> dict[str, Any]:
        """Wait for the process itself, not for the end of its streams, which a daemon can hold open for ever.

        Here is the clock, and nothing that a program can make slow: that is the watcher's.
        """
        deadline = time.monotonic() + limits["seconds"]
        watcher = self.watcher  # until it has begun
        stopped: str | None = None
        status: int | None = None
        while status is None:
            told = self._told_to_stop(channel)
            status = self._reap()
            if status is not None:
                break
            if watcher:
                watcher.begin(limits, begun, self.first_process)
                watcher = None
            late = time.monotonic() > deadline
            if told or (late and stopped):
                stopped = told or stopped
                status = self.end_all()
            elif late:
                stopped, deadline = "time", time.monotonic() + AFTER_INTERRUPT_SECONDS
                os.kill(self.script, signal.SIGINT)
        return {"code": os.waitstatus_to_exitcode(status), "stopped": stopped, "fork": self.walls.fork}

    def _told_to_stop(self, channel: socket.socket) -> str | None:
        """Sleep for a tick, or less when a child ends; what the agent or the watcher said meanwhile."""
        sources: list[socket.socket | int] = [channel, self.wakeup]
        if self.watcher:
            sources.append(self.watcher.channel)
        ready, _, _ = select.select(sources, [], [], watch.TICK_SECONDS)
        if self.wakeup in ready and signal.SIGTERM in os.read(self.wakeup, 4096):
            return "abandoned"
        if channel in ready:
            return {b"c": "cancelled", b"o": "output"}.get(channel.recv(1), "abandoned")
        if self.watcher and self.watcher.channel in ready:
            return self.watcher.said()
        return None

    def _reap(self) -> int | None:
        """Bury who has died (orphans come to us); the status of the script, once it has ended."""
        with contextlib.suppress(ChildProcessError):
            while True:
                number, status = os.waitpid(-1, os.WNOHANG)
                if number == self.script:
                    return status
                if number == 0:
                    break
        return None

    def _anything_left(self) -> bool:
        """Whether anything lives but the watcher and the one that only reaps: the answer need not wait for those."""
        assert self.watcher
        assert self.first_process
        ours = {self.first_process, self.watcher.process}
        return any(set(watch.children(process)) - ours for process in (self.process, self.first_process))

    def end_all(self) -> int | None:
        """Kill and reap until no descendant is left. The status of the script when it is among them."""
        found: int | None = None
        while True:
            if self.first_process is not None:
                _kill(self.first_process)  # and with it, in the kernel, everything in there
            elif found is None:
                with contextlib.suppress(OSError):
                    os.killpg(self.script, signal.SIGKILL)
            for number in watch.descendants(self.process):
                _kill(number)
            try:
                number, status = os.waitpid(-1, 0)
            except ChildProcessError:
                return found
            if number == self.script:
                found = status


def _kill(process: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)


def _wake(*_: object) -> None:
    """A handler that does nothing: the signal's number is in the pipe by then."""


def _wake_when_a_child_ends() -> int:
    """A descriptor that becomes readable with each signal that has a handler. signal.set_wakeup_fd."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _wake)
    return readable


def _open_the_same(path: str, identity: list[int]) -> int:
    """The working directory by its path, if that still leads to the directory which the agent holds."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    status = os.fstat(descriptor)
    if [status.st_dev, status.st_ino] != identity:
        raise OSError("the working directory was replaced by another")
    return descriptor


def _tasks_of_this_user() -> int:
    """Tasks that the user has already: RLIMIT_NPROC counts them all, not only ours."""
    count, user = 0, os.geteuid()
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == user:
                    count += len(watch.threads(int(name)))
    return count
