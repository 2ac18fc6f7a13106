"""Landlock: a process gives up, for itself and its children, every file it has not been promised.

landlock(7), https://docs.kernel.org/userspace-api/landlock.html. A ruleset names the rights that are handled; what is
handled and not granted by a rule is refused, for root too. It is checked where the path leads, so a symbolic link or
`/proc/self/root` gains nothing. Each version of the interface handles more; what a kernel does not know stays open,
and is closed by seccomp or by read-only mounts.
"""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from sandbox.walls.kernel import syscall

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_CHAR, MAKE_DIR, MAKE_REG = 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8
MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 9, 1 << 10, 1 << 11, 1 << 12
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

READ = READ_FILE | READ_DIR
# No EXECUTE (no binary of the model's own) and none of MAKE_SYM, MAKE_FIFO, MAKE_SOCK, MAKE_CHAR, MAKE_BLOCK: what a
# program leaves behind in the working directory is plain files, which no later reader can be tricked by.
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE
# In the directory that is gone with the run there is no later reader.
PRIVATE = WRITE | MAKE_SYM | MAKE_FIFO
TERMINAL = READ | WRITE_FILE | IOCTL_DEV
FOR_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV  # the rights that a file can carry

_FILE_RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_NET_BIND_TCP, _NET_CONNECT_TCP = 1 << 0, 1 << 1  # since version 4
_SCOPE_ABSTRACT_UNIX_SOCKET, _SCOPE_SIGNAL = 1 << 0, 1 << 1  # since version 6
SIGNALS_SCOPED_SINCE, TRUNCATE_SINCE = 6, 3

_CREATE_RULESET_VERSION = 1 << 0
_RULE_PATH_BENEATH = 1


class _RulesetAttributes(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("descriptor", ctypes.c_int32)]


def version() -> int:
    """The version of Landlock in this kernel, 0 when there is none."""
    try:
        return syscall("landlock_create_ruleset", None, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


class Ruleset:
    """What will be allowed. Nothing holds until `enforce()`; afterwards nothing can be taken back."""

    def __init__(self, version: int) -> None:
        self._handled = next(_FILE_RIGHTS_BY_VERSION[v] for v in (5, 3, 2, 1) if v <= version)
        attributes = _RulesetAttributes(self._handled)
        size = 8
        if version >= 4:
            attributes.net, size = _NET_BIND_TCP | _NET_CONNECT_TCP, 16
        if version >= 6:
            attributes.scoped, size = _SCOPE_ABSTRACT_UNIX_SOCKET | _SCOPE_SIGNAL, 24
        self._descriptor = syscall("landlock_create_ruleset", ctypes.byref(attributes), size, 0)

    def allow(self, path: str | Path, rights: int) -> None:
        """Grant rights on a file, or on a directory and all below it. A path that is not there grants nothing."""
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        try:
            self.allow_descriptor(descriptor, rights)
        finally:
            os.close(descriptor)

    def allow_descriptor(self, descriptor: int, rights: int) -> None:
        if not os.path.isdir(f"/proc/self/fd/{descriptor}"):
            rights &= FOR_A_FILE
        rule = _PathBeneath(rights & self._handled, descriptor)
        syscall("landlock_add_rule", self._descriptor, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)

    def enforce(self) -> None:
        """From here on the calling thread and all its children are held. Needs no_new_privs."""
        syscall("landlock_restrict_self", self._descriptor, 0)
        os.close(self._descriptor)


def python_and_libraries(executable: str, prefixes: Iterable[str]) -> list[tuple[str, int]]:
    """Path and rights of all that a Python program needs to start, and nothing of the person's.

    The interpreter and the loader are the only files that may be executed. `/etc` is given name by name; `/proc`,
    `/home`, `/usr/bin` and this program's own source are not in the list.
    """
    rules = [(os.path.realpath(executable), READ_FILE | EXECUTE)]
    rules += [(loader, READ_FILE | EXECUTE) for loader in _LOADERS]
    for prefix in {os.path.realpath(prefix) for prefix in prefixes}:
        rules += [(f"{prefix}/{name}", READ) for name in ("lib", "lib64", "pyvenv.cfg")]
    rules += [(path, READ) for path in _SYSTEM_LIBRARIES + _PUBLIC_DATA]
    rules += [(path, READ_FILE) for path in ("/dev/random", "/dev/urandom", "/dev/zero")]
    return [*rules, ("/dev/null", READ_FILE | WRITE_FILE | TRUNCATE), ("/dev/full", READ_FILE | WRITE_FILE)]


_LOADERS = (
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
)
_SYSTEM_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib")
_PUBLIC_DATA = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/os-release",
    "/usr/share/zoneinfo",
    "/sys/devices/system/cpu/online",
)
