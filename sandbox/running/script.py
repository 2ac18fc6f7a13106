"""The process that becomes the script: what it does to itself between fork and exec.

The order matters. What can be done before the run is known is done early, because it takes longest: capabilities and
no_new_privs, without which the kernel takes neither wall from an ordinary user; the rules for the system's own files;
seccomp. Then it waits. Descriptors, limits and the rules for this run come next, while the runner makes the working
directory ready; then that directory; then Landlock, after which nothing outside can be opened, and so the exec.
"""

import math
import os
import resource
import signal
import socket
import sys
from typing import Any, NoReturn

from sandbox.running.frames import receive, rehearse, value_of
from sandbox.walls import Walls, seatbelt

if sys.platform == "linux":
    from sandbox.walls import kernel, landlock, namespaces, seccomp

OPEN_FILES = 256
LONGEST_PATH = 4096  # bytes, PATH_MAX


def become_the_script(
    orders: socket.socket, settings: dict[str, Any], walls: Walls, parent: int, tasks: int
) -> NoReturn:
    """Prepare, wait for the order, and become the script. What goes wrong is said on `orders`, which the exec closes.

    parent: the process to die with (0 when it has no number in here); tasks: how many the user runs already.
    """
    try:
        os.setsid()
        _reset_signals()
        os.umask(0o022)
        prepared = _prepare(settings, walls, parent) if sys.platform == "linux" else None  # a Ruleset
        rehearse()
        frame, (stdout, stderr) = receive(orders, 2)
        job = value_of(frame)
        _take_streams(stdout, stderr)
        _limit(job["limits"], tasks)
        if prepared:
            for path in job["readable"]:
                prepared.allow(path, landlock.READ)
        name, [directory], _, _ = socket.recv_fds(orders, LONGEST_PATH, 1)  # they come once they can be written to
        private = os.fsdecode(name)
        os.fchdir(directory)
        if prepared:
            prepared.allow(private, landlock.PRIVATE)
            prepared.allow_descriptor(directory, landlock.WRITE)
            prepared.enforce()
        if walls.seccomp:
            seccomp.refuse_more_walls()
        if sys.platform == "linux":
            kernel.close_on_exec(3)
        command = seatbelt.with_private(job["command"], private) if walls.seatbelt else job["command"]
        home = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), private)
        os.execve(command[0], command, {**home, **job["environment"]})
    except BaseException as error:
        orders.sendall(f"{type(error).__name__}: {error}".encode())
    finally:
        os._exit(127)


def _reset_signals() -> None:
    """Python ignores some signals, and what is ignored stays so through exec."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _prepare(settings: dict[str, Any], walls: Walls, parent: int) -> Any:
    """Raise all but the last wall. OSError when the kernel will not: the script must not start then."""
    kernel.die_with_parent(signal.SIGKILL, parent)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if walls.seccomp:
        seccomp.install(filter_for(walls, os.getpid()))
    if not walls.landlock:
        return None
    ruleset = landlock.Ruleset(walls.landlock)
    for path, rights in landlock.python_and_libraries(settings["executable"], settings["prefixes"]):
        ruleset.allow(path, rights)
    if walls.namespaces:
        ruleset.allow("/dev/shm", landlock.WRITE)  # a private one; see namespaces.py
        for path in namespaces.TERMINALS:
            ruleset.allow(path, landlock.TERMINAL)
    return ruleset


def filter_for(walls: Walls, process: int) -> bytes:
    """The filter of system calls; with namespaces around it the process sees no other, and the filter names none."""
    scoped, handled = landlock.SIGNALS_SCOPED_SINCE, landlock.TRUNCATE_SINCE
    return seccomp.built(
        0 if walls.namespaces else process, walls.landlock >= scoped, walls.landlock >= handled, walls.fork
    )


def _take_streams(stdout: int, stderr: int) -> None:
    """Standard input is the null device."""
    null = os.open(os.devnull, os.O_RDONLY)
    for descriptor, number in ((null, 0), (stdout, 1), (stderr, 2)):
        os.dup2(descriptor, number)


def _limit(limits: dict[str, Any], tasks: int) -> None:
    """Ask the kernel to hold what it can hold for a single process; watch.py looks at the sums. getrlimit(2)."""
    wanted = {
        "RLIMIT_CPU": math.ceil(limits["seconds"] * (os.cpu_count() or 1)) + 1,
        "RLIMIT_AS": 2 * limits["memory_bytes"],  # addresses, not memory: at one times the memory threads fail early
        "RLIMIT_FSIZE": limits["file_bytes"],
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": tasks + limits["processes"],  # never enforced for root, not even in a user namespace
    }
    for name, value in wanted.items():
        number = getattr(resource, name)
        ceiling = resource.getrlimit(number)[1]
        if ceiling != resource.RLIM_INFINITY:
            value = min(value, ceiling)
        resource.setrlimit(number, (value, value))
