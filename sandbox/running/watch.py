"""Looking at a whole tree of processes from outside: how many, how much memory, how much disk.

The kernel's own limits are for one process each, and some never hold for root (getrlimit(2), RLIMIT_NPROC), so the sums
are taken every 50 milliseconds from /proc, proc_pid_task(5), proc_pid_statm(5), proc_pid_smaps(5). A program can make
each look long. So they are taken in a process of their own, and there in a thread each: the clock and the kill, which
the runner holds, wait for neither.
"""

import json
import os
import queue
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sandbox.running import buffers
from sandbox.running.disk import Begun, Disk
from sandbox.walls.kernel import die_with_parent

TICK_SECONDS = 0.05
_BUFFERS_OF_ALL_SECONDS = 0.25  # where each descriptor must be looked at
_PAGE = os.sysconf("SC_PAGE_SIZE")

Tree = dict[int, list[str]]  # each process with its threads


def children(process: int) -> list[int]:
    found: list[int] = []
    for thread in threads(process):
        try:
            with open(f"/proc/{process}/task/{thread}/children") as file:
                found += [int(number) for number in file.read().split()]
        except OSError:
            continue
    return found


def descendants(process: int) -> list[int]:
    """Every process below this one. Complete when this one is a subreaper or the parent of a first process."""
    found: list[int] = []
    queue = [process]
    while queue:
        new = children(queue.pop())
        found += new
        queue += new
    return found


def threads(process: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{process}/task")
    except OSError:
        return []


class Watcher:
    """The runner's end of the process that watches. It is made before the run is known, and before the runner enters
    namespaces: from inside it could not see the processes, and a process that is about to enter can have no threads."""

    def __init__(self, runner: int) -> None:
        self.channel, theirs = socket.socketpair()
        self.process = os.fork()
        if self.process == 0:
            try:
                self.channel.close()
                die_with_parent(signal.SIGKILL, runner)
                _watch(theirs, runner)
            finally:
                os._exit(0)
        theirs.close()

    def begin(self, limits: dict[str, Any], run: Begun, without: int | None) -> None:
        """Watch from here on. Called when the run has lived for a tick: most are over by then. `without`: the process
        that only reaps, which is ours; None where there are no namespaces, and so no sockets of the run's own."""
        netlink = buffers.ask_here()
        line = json.dumps([limits, without, run.at, run.free]).encode()
        socket.send_fds(self.channel, [line], [netlink.fileno(), *run.places])
        netlink.close()

    def said(self) -> str:
        """Once the channel is readable: "processes", "memory", "disk", or "abandoned" when nobody watches any more."""
        return self.channel.recv(64).decode() or "abandoned"


def _watch(orders: socket.socket, runner: int) -> None:
    line, descriptors, _, _ = socket.recv_fds(orders, 4096, 3)
    if not line:
        return
    limits, without, at, free = json.loads(line)
    disk = Disk(limits["file_bytes"], Begun(descriptors[1:], at, free))
    watch = Watch(limits, disk, socket.socket(fileno=descriptors[0]), runner, without)
    orders.sendall(watch.until_exceeded().encode())


class Watch:
    """The limits of one run, looked at until one is passed."""

    def __init__(
        self, limits: dict[str, Any], disk: Disk, netlink: socket.socket, runner: int, without: int | None
    ) -> None:
        self._limits, self._disk, self._netlink, self._runner, self._without = limits, disk, netlink, runner, without
        self._temporary = disk.places[-1]
        self._next_buffers = time.monotonic()
        self._private = self._shared = 0
        self._exceeded: queue.SimpleQueue[str] = queue.SimpleQueue()

    def until_exceeded(self) -> str:
        """Return "processes", "memory" or "disk"; "abandoned" when one of the looks failed."""
        for look in (self._look_at_processes, self._look_at_disk):
            threading.Thread(target=self._repeat, args=(look,), daemon=True).start()
        return self._exceeded.get()

    def _repeat(self, look: Callable[[], str | None]) -> None:
        over: str | None = "abandoned"  # what cannot be looked at any more must not go on
        try:
            while not (over := look()):
                time.sleep(TICK_SECONDS)
        finally:
            self._exceeded.put(over or "abandoned")

    def _tree(self) -> Tree:
        ours = (os.getpid(), self._without)
        return {process: threads(process) for process in descendants(self._runner) if process not in ours}

    def _look_at_processes(self) -> str | None:
        tree = self._tree()
        if sum(map(len, tree.values())) > self._limits["processes"]:
            return "processes"
        return "memory" if self._memory_exceeded(tree) else None

    def _memory_exceeded(self, tree: Tree) -> bool:
        limit: int = self._limits["memory_bytes"] - self._buffers(tree)
        if sum(_resident_bytes(process, tree[process]) for process in tree) <= limit:
            return False
        return sum(_proportional_bytes(process, tree[process]) for process in tree) > limit  # slower; shared ones once

    def _buffers(self, tree: Tree) -> int:
        """What the kernel holds for the run: between sockets, in pipes, and in the temporary directory, which is in
        memory where there are namespaces."""
        alone = self._without is not None
        if alone:
            self._private = _used(self._temporary) + sum(buffers.of_sockets(self._netlink).values())
        if time.monotonic() >= self._next_buffers:
            self._next_buffers = time.monotonic() + _BUFFERS_OF_ALL_SECONDS
            sockets, pipes = buffers.held_by(tree)
            self._shared = len(pipes) * buffers.PIPE_BYTES
            if not alone:
                every = buffers.of_sockets(self._netlink)
                self._shared += sum(every.get(socket, 0) for socket in sockets)
        return self._private + self._shared

    def _look_at_disk(self) -> str | None:
        return "disk" if self._disk.exceeded(self._tree) else None


def _used(place: int) -> int:
    try:
        status = os.statvfs(place)
    except OSError:
        return 0
    return (status.f_blocks - status.f_bfree) * status.f_frsize


def _resident_bytes(process: int, its_threads: list[str]) -> int:
    """Asked of each thread until one answers: when the first one has ended, nothing is known of it any more."""
    for thread in its_threads:
        with suppress(OSError, IndexError), open(f"/proc/{process}/task/{thread}/statm") as file:
            if pages := int(file.read().split()[1]):
                return pages * _PAGE
    return 0


def _proportional_bytes(process: int, its_threads: list[str]) -> int:
    for thread in its_threads:
        with suppress(OSError), open(f"/proc/{process}/task/{thread}/smaps_rollup") as file:
            if found := [int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:")]:
                return sum(found)
    return _resident_bytes(process, its_threads)
