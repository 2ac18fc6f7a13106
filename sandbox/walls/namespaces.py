"""Namespaces: a world of its own for each run, where a stranger cannot even be named.

namespaces(7), user_namespaces(7), mount_setattr(2). A user namespace lets an ordinary user make the others: processes
(killing the first one kills all, at once, with no race), network (not even loopback), messages and shared memory, and
mounts (everything outside is read-only, so chmod, utime and truncate fail there as they should). Many systems refuse
all this (containers, Ubuntu 24.04), so it is an addition to Landlock and seccomp, never the only wall.
"""

import ctypes
import os
import signal
import socket
from contextlib import suppress

from sandbox.walls.kernel import PR_SET_PDEATHSIG, mount, prctl, syscall, unshare

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_BIND, _RECURSIVE, _PRIVATE, _NO_SETUID, _NO_DEVICES = 0x1000, 0x4000, 0x40000, 0x2, 0x4
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY = 1

_TERMINALS, _NEW_TERMINAL = "/dev/pts", "/dev/ptmx"
TERMINALS = (_NEW_TERMINAL, _TERMINALS)
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


def enter() -> int:
    """Move this process into new namespaces and make every mount read-only. Its children are numbered from 1.

    The descriptor of /dev/shm as it was, which is covered from here on: a working directory may lie in there."""
    user, group = os.geteuid(), os.getegid()
    unshare(_NEW_USER | _NEW_MOUNTS | _NEW_IPC | _NEW_PROCESSES | _NEW_NETWORK)
    _write("/proc/self/uid_map", f"{user} {user} 1")  # the same number inside and outside, and no other
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/gid_map", f"{group} {group} 1")
    mount("none", "/", None, _RECURSIVE | _PRIVATE)
    _set_read_only("/", True)
    # shared memory of its own, where the locks of multiprocessing live; sem_overview(7)
    covered = os.open(_SHARED_MEMORY, os.O_PATH | os.O_DIRECTORY)
    mount("tmpfs", _SHARED_MEMORY, "tmpfs", _NO_SETUID | _NO_DEVICES, f"size={PRIVATE_BYTES},mode=1777")
    os.mkdir(PRIVATE, 0o700)
    with suppress(OSError):  # a system that has none goes without
        _own_terminals()
    return covered


def _own_terminals() -> None:
    """Pseudo-terminals of its own: those of the person are not even there. pts(4)."""
    mount("devpts", _TERMINALS, "devpts", _NO_SETUID, "newinstance,ptmxmode=0666,mode=0620")
    mount(f"{_TERMINALS}/ptmx", _NEW_TERMINAL, None, _BIND)


def start_first_process() -> int:
    """The process with number 1: it only reaps, and when it dies the kernel kills everything with it."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child:
        theirs.close()
        with ours:
            ours.recv(1)  # it will die with us from here on
        return child
    try:
        ours.close()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # Its parent has no number in here, so getppid() is 0 both before and after the parent's death: what tells is
        # that nobody listens any more.
        theirs.send(b"R")
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


def make_writable(directory: str, covered: int) -> None:
    """A directory becomes a mount of its own and may be written to, with all that is mounted below it, except what the
    person mounted read-only. `covered`: what `enter` gave."""
    source = directory
    if directory.startswith(f"{_SHARED_MEMORY}/"):
        source = f"/proc/self/fd/{covered}/{os.path.relpath(directory, _SHARED_MEMORY)}"
        os.makedirs(directory, exist_ok=True)
    mount(source, directory, None, _BIND | _RECURSIVE)
    with suppress(OSError):
        _set_read_only(directory, False)
        return
    for place in [directory, *_mounted_below(directory)]:
        with suppress(OSError):  # locked: mount_namespaces(7), or covered by another
            _set_read_only(place, False, 0)


def _mounted_below(directory: str) -> list[str]:
    """Mount points below a directory. proc_pid_mountinfo(5): the fifth field, with octal escapes."""
    with open("/proc/self/mountinfo", "rb") as file:
        points = [line.split()[4].decode("unicode_escape").encode("latin-1") for line in file]
    below = os.fsencode(directory).rstrip(b"/") + b"/"
    return [os.fsdecode(point) for point in points if point.startswith(below)]


def make_read_only(path: str) -> None:
    """A file or directory inside a writable one that stays as it is, and where it is."""
    mount(path, path, None, _BIND | _RECURSIVE)
    _set_read_only(path, True)


def _set_read_only(directory: str, wanted: bool, flags: int = _AT_RECURSIVE) -> None:
    attributes = _MountAttributes(set=_READ_ONLY * wanted, clear=_READ_ONLY * (not wanted))
    path = ctypes.c_char_p(os.fsencode(directory))
    syscall("mount_setattr", _AT_FDCWD, path, flags, ctypes.byref(attributes), ctypes.sizeof(attributes))


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
