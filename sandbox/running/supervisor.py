"""The process that forks for each run. Started once and early; run as `python -I -S supervisor.py DESCRIPTOR SETTINGS`.

`-I -S`: a `json.py` or `sitecustomize.py` that was planted in the working directory must not run here. One thread, so
forking is safe, which it is not in the agent. It keeps one runner ready; whoever is ready takes the next request from
the shared socket, says so, and the next one is made. When the agent goes, the socket ends, and so does everything here.
"""

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from sandbox.running.runner import Runner
from sandbox.running.script import filter_for
from sandbox.walls import Walls

if sys.platform == "linux":
    from sandbox.walls import kernel, landlock, namespaces, seccomp

BREATHER_MILLISECONDS = 50
_MOST_FAILURES = 5  # runners that died before they began a run, in a row


def main(requests: socket.socket, settings: dict[str, Any]) -> None:
    if sys.platform == "linux":
        kernel.die_with_parent(signal.SIGKILL, settings["agent"])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # runners are not waited for
    walls = find_walls(settings["hidden"], settings["landlock_at_most"])
    requests.send(json.dumps({**vars(walls), "process": os.getpid()}).encode())
    gc.disable()  # a collection in a runner would touch, and so copy, every page that it shares with this process
    if walls.seccomp and walls.namespaces:  # the same for every script: built here once
        filter_for(walls, os.getpid())
        seccomp.last_built()
    failures = 0
    while failures < _MOST_FAILURES:
        taken = _make_runner(requests, settings, walls)
        told = os.read(taken, 1)
        failures = 0 if told else failures + 1
        ended = _until_the_next_is_needed(requests, taken)
        os.close(taken)
        if ended:
            return


def find_walls(hidden: list[str], landlock_at_most: int) -> Walls:
    """What this system gives, by trying; `hidden` are walls that a test wants to be without."""
    if sys.platform != "linux":
        return Walls(seatbelt=sys.platform == "darwin" and "seatbelt" not in hidden)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    version = 0 if "landlock" in hidden else min(landlock.version(), landlock_at_most)
    filters = "seccomp" not in hidden and seccomp.available()
    isolated = "namespaces" not in hidden and namespaces.work_here()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # RLIMIT_NPROC never holds for root, and without namespaces nothing else stops a fork bomb in time
    fork = isolated or not filters or os.geteuid() != 0
    return Walls(landlock=version, seccomp=filters, namespaces=isolated, fork=fork)


def _make_runner(requests: socket.socket, settings: dict[str, Any], walls: Walls) -> int:
    """Fork a runner. A descriptor that gives one byte when the run that it took has begun, and none when it died."""
    told, tell = os.pipe()
    supervisor = os.getpid()
    if os.fork():
        os.close(tell)
        return told
    try:
        os.close(told)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        runner = Runner(settings, walls, supervisor)
        data, descriptors, _, _ = socket.recv_fds(requests, 1, 3)
        requests.close()
        if data:
            with socket.socket(fileno=descriptors[0]) as channel:
                runner.run(channel, descriptors[1], descriptors[2], lambda: _tell(tell))
    finally:
        os._exit(0)  # the agent sees by the socket that it has gone


def _tell(waiting: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # the supervisor has died: a signal ends the run in a moment
        os.write(waiting, b"T")


def _until_the_next_is_needed(requests: socket.socket, taken: int) -> bool:
    """Leave the processors to the run that has just begun, until it ends, another waits, or a moment has passed.

    Whether the agent's end is closed. poll(2): POLLHUP comes without being asked for.
    """
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    poll.register(taken, 0)
    events = dict(poll.poll(BREATHER_MILLISECONDS))
    return bool(events.get(requests.fileno(), 0) & (select.POLLHUP | select.POLLERR))


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), json.loads(sys.argv[2]))
