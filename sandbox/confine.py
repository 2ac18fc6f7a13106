"""The last steps before the code of a model begins: what a child does to itself between fork and exec.

The order matters. Descriptors and the working directory come first, because afterwards nothing outside can be opened;
then limits; then capabilities and no_new_privs, without which the kernel takes neither wall from an ordinary user; then
Landlock; then seccomp, last, because it refuses some of the calls that the steps before it make.
"""

import math
import os
import resource
import signal
import sys
from dataclasses import dataclass
from typing import Any

if sys.platform == "linux":
    from sandbox import kernel, landlock, seccomp

OPEN_FILES = 256


@dataclass(frozen=True)
class Walls:
    """What stands around a run. Found out once by the supervisor; every run gets all of it or does not start."""

    landlock: int = 0  # its version, 0 for none
    seccomp: bool = False
    namespaces: bool = False
    fork: bool = True  # whether the code may have child processes
    seatbelt: bool = False

    @property
    def confined(self) -> bool:
        return bool(self.landlock and self.seccomp) or self.seatbelt


def take_streams(stdout: int, stderr: int) -> None:
    """Standard input is the null device; nothing above standard error survives the exec."""
    null = os.open(os.devnull, os.O_RDONLY)
    for descriptor, number in ((null, 0), (stdout, 1), (stderr, 2)):
        os.dup2(descriptor, number)
    if sys.platform == "linux":
        kernel.close_on_exec(3)


def reset_signals() -> None:
    """Python ignores some signals, and what is ignored stays so through exec."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def limit(limits: dict[str, Any], processes: int) -> None:
    """Ask the kernel to hold what it can hold for a single process; watch.py looks at the sums. getrlimit(2)."""
    seconds = math.ceil(limits["seconds"] * (os.cpu_count() or 1)) + 1
    wanted = {
        "RLIMIT_CPU": seconds,
        "RLIMIT_AS": 2 * limits["memory_bytes"],  # addresses, not memory: at one times the memory threads fail early
        "RLIMIT_FSIZE": limits["file_bytes"],
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": processes,  # never enforced for root, not even in a user namespace
    }
    for name, value in wanted.items():
        if hasattr(resource, name):
            number = getattr(resource, name)
            ceiling = resource.getrlimit(number)[1]
            if ceiling != resource.RLIM_INFINITY:
                value = min(value, ceiling)
            resource.setrlimit(number, (value, value))


def raise_walls(walls: Walls, ruleset: Any, writable: list[str], readable: list[str], working_directory: int) -> None:
    """Landlock and seccomp, for ever. OSError when the kernel will not: the caller must not go on then."""
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if walls.landlock:
        ruleset.allow_descriptor(working_directory, landlock.WRITE)
        for path in writable:
            ruleset.allow(path, landlock.WRITE)
        for path in readable:
            ruleset.allow(path, landlock.READ)
        ruleset.enforce()
    if walls.seccomp:
        seccomp.install(
            seccomp.build(
                isolated=walls.namespaces,
                signals_scoped=walls.landlock >= landlock.SIGNALS_SCOPED_SINCE,
                truncate_handled=walls.landlock >= landlock.TRUNCATE_SINCE,
                fork=walls.fork,
                own_process=os.getpid(),
            )
        )
