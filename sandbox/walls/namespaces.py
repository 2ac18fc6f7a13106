"""Namespaces: a world of its own for each run, where a stranger cannot even be named.

namespaces(7), user_namespaces(7), mount_setattr(2). A user namespace lets an ordinary user make the others: processes
(killing the first one kills all, at once, with no race), network (not even loopback), messages and shared memory, and
mounts (everything outside is read-only, so chmod, utime and truncate fail there as they should). Many systems refuse
all this (containers, Ubuntu 24.04), so it is an addition to Landlock and seccomp, never the only wall.
"""

import ctypes
import os
import signal

from sandbox.walls.kernel import die_with_parent, mount, syscall, unshare

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_BIND, _RECURSIVE, _PRIVATE, _NO_SETUID, _NO_DEVICES = 0x1000, 0x4000, 0x40000, 0x2, 0x4
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY = 1

_SHARED_MEMORY = "/dev/shm"
PRIVATE = (
    f"{_SHARED_MEMORY}/private"  # the temporary directory of the run: in memory, so nothing of it can be left behind
)
PRIVATE_BYTES = 128 * 2**20


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user_namespace")]


def work_here() -> bool:
    """Whether this system gives all of them: tried in a throw-away child, because only trying tells."""
    child = os.fork()
    if child == 0:
        try:
            enter()
            end_first_process(start_first_process())
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def enter() -> None:
    """Move this process into new namespaces and make every mount read-only. Its children are numbered from 1."""
    user, group = os.geteuid(), os.getegid()
    unshare(_NEW_USER | _NEW_MOUNTS | _NEW_IPC | _NEW_PROCESSES | _NEW_NETWORK)
    _write("/proc/self/uid_map", f"{user} {user} 1")  # the same number inside and outside, and no other
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/gid_map", f"{group} {group} 1")
    mount("none", "/", None, _RECURSIVE | _PRIVATE)
    _set_read_only("/", True)
    # shared memory of its own, where the locks of multiprocessing live; sem_overview(7)
    mount("tmpfs", _SHARED_MEMORY, "tmpfs", _NO_SETUID | _NO_DEVICES, f"size={PRIVATE_BYTES},mode=1777")
    os.mkdir(PRIVATE, 0o700)


def start_first_process() -> int:
    """The process with number 1: it only reaps, and when it dies the kernel kills everything with it."""
    child = os.fork()
    if child:
        return child
    try:
        # its parent has no number in here, so getppid() is 0 both before and after the parent's death
        die_with_parent(signal.SIGKILL, 0)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reaped without a wait: sigaction(2), SA_NOCLDWAIT
        os.closerange(0, 1024)
        while True:
            signal.pause()
    finally:
        os._exit(1)


def end_first_process(process: int) -> None:
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def make_writable(directory: str) -> None:
    """A directory becomes a mount of its own and may be written to, unless it could not be before."""
    mount(directory, directory, None, _BIND | _RECURSIVE)
    try:
        _set_read_only(directory, False)
    except PermissionError:  # the person mounted it read-only
        return


def make_read_only(path: str) -> None:
    """A file or directory inside a writable one that stays as it is, and where it is."""
    mount(path, path, None, _BIND | _RECURSIVE)
    _set_read_only(path, True)


def _set_read_only(directory: str, wanted: bool) -> None:
    attributes = _MountAttributes(set=_READ_ONLY * wanted, clear=_READ_ONLY * (not wanted))
    path = ctypes.c_char_p(os.fsencode(directory))
    syscall("mount_setattr", _AT_FDCWD, path, _AT_RECURSIVE, ctypes.byref(attributes), ctypes.sizeof(attributes))


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
