"""Calls into the Linux kernel that Python has no name for, through ctypes.

Everything here is used by the supervisor only, a process with one thread: a run of code is prepared between fork and
exec, which is unsafe in a process with several (https://docs.python.org/3/library/subprocess.html, `preexec_fn`).
"""

import ctypes
import errno
import os
import platform
from collections.abc import Iterable

from sandbox.walls.numbers import MACHINES, number

# prctl(2)
PR_SET_PDEATHSIG = 1
PR_CAPBSET_READ, PR_CAPBSET_DROP = 23, 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

CLOSE_RANGE_CLOEXEC = 4  # close_range(2), Linux 5.11
_CAPABILITY_VERSION_3 = 0x20080522  # capset(2)

_libc = ctypes.CDLL(None, use_errno=True)


def syscall(name: str, *arguments: object) -> int:
    """The result of a system call; OSError when it fails."""
    if (machine := platform.machine()) not in MACHINES:
        raise OSError(errno.ENOSYS, f"{name}: no table for {machine}")
    if (known := number(name, machine)) is None:
        raise OSError(errno.ENOSYS, f"{name}: {machine} has no such call")
    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return _checked(name, _libc.syscall(ctypes.c_long(known), *words))


def prctl(option: int, *arguments: int) -> int:
    words = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked("prctl", _libc.prctl(ctypes.c_int(option), *words))


def unshare(flags: int) -> None:
    _checked("unshare", _libc.unshare(ctypes.c_int(flags)))


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    _checked(f"mount {target}", _libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]))


def die_with_parent(signal_number: int, parent: int) -> None:
    """Ask for a signal when the parent dies; end at once when it already has. PR_SET_PDEATHSIG(2const)."""
    prctl(PR_SET_PDEATHSIG, signal_number)
    if os.getppid() != parent:
        os._exit(1)


def close_on_exec(first: int) -> None:
    """Every descriptor from `first` up is closed by the next exec, known to Python or not."""
    try:
        syscall("close_range", first, 0xFFFFFFFF, CLOSE_RANGE_CLOEXEC)
    except OSError:  # before Linux 5.11
        os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def drop_capabilities() -> None:
    """Give up every capability, and the right to gain one by exec (the bounding set). capabilities(7)."""
    for capability in _bounding_set():
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except PermissionError:  # an ordinary user has none to drop, and no_new_privs keeps it so
            break
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    syscall("capset", ctypes.byref(header), ctypes.byref(nothing))


def _bounding_set() -> Iterable[int]:
    for capability in range(64):
        try:
            if prctl(PR_CAPBSET_READ, capability):
                yield capability
        except OSError:  # the first number that this kernel does not know
            return


def _checked(what: str, result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result
