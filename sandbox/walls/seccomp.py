"""seccomp: a filter in front of every system call, for what Landlock does not know.

seccomp(2), https://docs.kernel.org/userspace-api/seccomp_filter.html. The filter is a small program (bpf.py) that sees
the number and the arguments of a call, not what pointers lead to: it cannot look at a path, but it can let the call
through, refuse it, look at its flags, or answer "done" without doing it. Which calls there are is a list (syscalls.py);
what is not on it does not exist. Children inherit the filter; nobody can take it off.
"""

import ctypes
import errno
import functools
import os
import platform
import struct
from collections.abc import Iterator

from sandbox.walls.bpf import (
    ALLOW,
    Program,
    answer,
    by_number,
    if_any,
    if_equal,
    only,
    only_architecture,
    packed,
    unless,
    unless_zero_or,
    where_any,
)
from sandbox.walls.kernel import prctl, syscall
from sandbox.walls.numbers import number
from sandbox.walls.syscalls import ALLOWED, REFUSED, UNTIL_THE_WALLS_STAND

_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h
_SET_MODE_FILTER = 1
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

_NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags of clone(2)
_THREAD = 0x00010000
_SETUID_BITS = 0o6000
_TYPE_OF_SOCKET, _AF_UNIX, _SOCK_STREAM = 0xF, 1, 1

# fcntl(2): F_SETOWN, F_SETSIG, F_SETOWN_EX (signals by way of a descriptor), F_SETLEASE, F_NOTIFY (watching files),
# F_SETPIPE_SZ (buffers.py counts a pipe by its ordinary size)
_REFUSED_FCNTL = (8, 10, 15, 1024, 1026, 1031)
_HUGE_PAGES = 0x40000  # MAP_HUGETLB of mmap(2): in no process's resident memory
# ioctl(2): what programs ask of terminals, pipes and files. All else does not exist: typing for somebody (TIOCSTI),
# owners of descriptors, the flags and attributes of files (FS_IOC_*), which Landlock does not know.
_ALLOWED_IOCTL = (
    *range(0x5401, 0x5406),  # TCGETS, TCSETS, TCSETSW, TCSETSF, TCGETA
    *range(0x5409, 0x5412),  # TCSBRK to TIOCOUTQ: flow, the controlling terminal, its group
    *(0x5413, 0x5414, 0x541B, 0x5421, 0x5422, 0x5429),  # TIOCGWINSZ, TIOCSWINSZ, FIONREAD, FIONBIO, TIOCNOTTY, TIOCGSID
    *(0x5450, 0x5451, 0x5452),  # FIONCLEX, FIOCLEX, FIOASYNC
    *(0x80045430, 0x40045431, 0x80045432, 0x80045438, 0x80045439, 0x5441),  # the making of a pseudo-terminal
    *(0x40049409, 0x4020940D),  # FICLONE, FICLONERANGE
)
_WITH_A_MODE = os.O_CREAT | 0x400000  # the flags of open(2) that make a file, named or not: O_CREAT, __O_TMPFILE
_RENAME_WHITEOUT = 4  # renameat2(2): leaves a device where the file was

Checks = Iterator[tuple[str, Program]]  # calls that are allowed with some arguments only, and how to tell


def available() -> bool:
    """Whether this kernel takes filters: a filter at address 0 is EFAULT where it would, EINVAL or ENOSYS elsewhere."""
    if platform.machine() not in _AUDIT_ARCHITECTURE:
        return False
    try:
        prctl(_PR_SET_SECCOMP, _MODE_FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


def install(program: bytes) -> None:
    """Hold the calling thread and all its children, from here on, by a filter that was `built`. Needs no_new_privs."""
    instructions = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(instructions))
    syscall("seccomp", _SET_MODE_FILTER, 0, ctypes.c_char_p(filter_))


@functools.cache
def built(process: int, signals_scoped: bool, truncate_handled: bool, fork: bool) -> bytes:
    """The filter as the kernel takes it. Building it takes longer than installing: it can be done before a fork.

    process: the one whose strangers are to be safe from it; 0 where namespaces stand around it, so that it sees none
    and everything outside is read-only. signals_scoped, truncate_handled: what this Landlock does itself. fork: whether
    it may have children.
    """
    checks = [*_always(fork)]
    if process:
        checks += _beside_strangers(process, signals_scoped, truncate_handled)
    return packed(allowed_alone(platform.machine(), checks))


def refuse_more_walls() -> None:
    """Called once Landlock stands: rulesets and filters that a script put up itself would be memory of the kernel that
    is in nobody's account."""
    install(last_built())


@functools.cache
def last_built() -> bytes:
    """The filter of `refuse_more_walls`, which is the same for every script."""
    return packed(no_more_walls(platform.machine()))


def allowed_alone(machine: str, checks: list[tuple[str, Program]]) -> Program:
    """The filter for this kind of processor: what is on the list goes through, if its checks refuse nothing.

    What is not on it does not exist, whoever added it to the kernel and when: io_uring, pidfd, clone3 (whose flags are
    behind a pointer; the C library falls back to clone), and x32, whose numbers are above a billion."""
    names: dict[str, Program] = {name: [] for group in ALLOWED for name in group.split()}
    for name, check in checks:
        names[name] = names[name] + check
    rules = {name: [*check, ALLOW] for name, check in names.items()}
    for error_number, refused in REFUSED:
        rules |= {name: [answer(error_number)] for name in refused.split()}
    missing = answer(errno.ENOSYS)
    return only_architecture(_AUDIT_ARCHITECTURE[machine], missing) + by_number(_numbered(machine, rules), [missing])


def no_more_walls(machine: str) -> Program:
    rules = {name: [answer(errno.ENOSYS)] for name in UNTIL_THE_WALLS_STAND.split()}
    rules["prctl"] = [*if_equal(0, _PR_SET_SECCOMP, errno.EINVAL), ALLOW]
    return by_number(_numbered(machine, rules), [ALLOW])


def _numbered(machine: str, rules: dict[str, Program]) -> dict[int, Program]:
    return {known: rule for name, rule in rules.items() if (known := number(name, machine)) is not None}


def _always(fork: bool) -> Checks:
    yield "clone", if_any(0, _NEW_NAMESPACES, errno.EPERM)
    if not fork:
        yield "clone", unless(0, _THREAD, errno.EPERM, _THREAD)
        yield "fork", [answer(errno.EPERM)]
        yield "vfork", [answer(errno.EPERM)]
    yield "socketpair", [*unless(0, _AF_UNIX, errno.EPERM), *unless(1, _SOCK_STREAM, errno.EPERM, _TYPE_OF_SOCKET)]
    yield "mmap", if_any(3, _HUGE_PAGES, errno.ENOMEM)
    yield "renameat2", if_any(4, _RENAME_WHITEOUT, errno.EINVAL)
    yield from _modes()
    yield from _owners()


def _modes() -> Checks:
    """No file becomes setuid or setgid: neither by chmod nor by the mode that a file is created with."""
    arguments = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "creat": 1, "mknod": 1, "mknodat": 2}
    for name, argument in arguments.items():
        yield name, if_any(argument, _SETUID_BITS, errno.EPERM)
    for name, flags in (("open", 1), ("openat", 2)):
        yield name, where_any(flags, _WITH_A_MODE, if_any(flags + 1, _SETUID_BITS, errno.EPERM))


def _owners() -> Checks:
    """Descriptors are no way to signal others, to watch directories, or to type for somebody; priorities one by one."""
    yield "fcntl", [part for command in _REFUSED_FCNTL for part in if_equal(1, command, errno.EPERM)]
    yield "ioctl", only(1, _ALLOWED_IOCTL, errno.ENOTTY)
    # setpriority of a group or a user, ioprio_set the same: one process at a time only
    yield "setpriority", unless(0, 0, errno.EPERM)
    yield "ioprio_set", unless(0, 1, errno.EPERM)


def _beside_strangers(own: int, signals_scoped: bool, truncate_handled: bool) -> Checks:
    """Without namespaces: only the own process, and no mode of any file."""
    for name in ("chmod", "fchmod", "fchmodat"):  # an error would break shutil.copy
        yield name, [answer(0)]
    limits = ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")
    for name, argument in [(name, 0) for name in limits] + [("setpriority", 1), ("ioprio_set", 1)]:
        yield name, unless_zero_or(argument, own, errno.EPERM)
    if not signals_scoped:
        for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            yield name, unless(0, own, errno.EPERM)
        yield "tkill", [answer(errno.EPERM)]
    if not truncate_handled:
        # Before version 3 Landlock lets open(O_RDONLY|O_TRUNC) and truncate(2) empty any file that may be read
        yield "truncate", [answer(errno.EACCES)]
        for name, argument in (("open", 1), ("openat", 2)):
            yield name, if_equal(argument, os.O_TRUNC, errno.EACCES, os.O_TRUNC | os.O_ACCMODE)
