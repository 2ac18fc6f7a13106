"""seccomp: a filter in front of every system call, for what Landlock does not know.

seccomp(2), https://docs.kernel.org/userspace-api/seccomp_filter.html. The filter is a small program (classic BPF) that
sees the number and the arguments of a call, not what pointers lead to: it cannot look at a path, but it can refuse the
call, look at its flags, or answer "done" without doing it. Children inherit it; nobody can take it off.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Sequence

from sandbox.walls.kernel import prctl, syscall
from sandbox.walls.syscalls import ALLOWED_AFTER_THE_TABLE, AUDIT_ARCHITECTURE, REFUSED, last_in_table, number

_SET_MODE_FILTER = 1
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06  # BPF_LD|W|ABS, BPF_ALU|AND|K, BPF_RET|K
_JUMP_EQUAL, _JUMP_GREATER_OR_EQUAL = 0x15, 0x35
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data; the low word of argument n is at 16 + 8 n

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

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, value


def available() -> bool:
    """Whether this kernel takes filters: a filter at address 0 is EFAULT where it would, EINVAL or ENOSYS elsewhere."""
    if platform.machine() not in AUDIT_ARCHITECTURE:
        return False
    try:
        prctl(_PR_SET_SECCOMP, _MODE_FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


def install(*, isolated: bool, signals_scoped: bool, truncate_handled: bool, fork: bool) -> None:
    """From here on the calling thread and all its children are held. Needs no_new_privs.

    isolated: namespaces stand around the process, so it sees no stranger and everything outside is read-only.
    signals_scoped, truncate_handled: what this Landlock does itself. fork: whether it may have children.
    """
    _put_up(_build(isolated, signals_scoped, truncate_handled, fork))


def _put_up(rules: list[Instruction]) -> None:
    program = b"".join(struct.pack("HBBI", *rule) for rule in [*rules, (_RETURN, 0, 0, _ALLOW)])
    instructions = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(instructions))
    syscall("seccomp", _SET_MODE_FILTER, 0, ctypes.c_char_p(filter_))


def refuse_rulesets() -> None:
    """Called once Landlock stands: a script could else fill the kernel's memory with rulesets of its own."""
    rules: list[Instruction] = [(_LOAD, 0, 0, _NUMBER)]
    for name in ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"):
        rules += _call(name, [_answer(errno.ENOSYS)])
    _put_up(rules)


def _build(isolated: bool, signals_scoped: bool, truncate_handled: bool, fork: bool) -> list[Instruction]:
    rules: list[Instruction] = [*_refuse_other_architectures(), *_refuse_what_is_newer()]
    for error_number, names in REFUSED:
        for name in names.split():
            rules += _call(name, [_answer(error_number)])
    rules += _processes(fork)
    rules += _call(
        "socketpair", [*_unless(0, _AF_UNIX, errno.EPERM), *_unless(1, _SOCK_STREAM, errno.EPERM, _TYPE_OF_SOCKET)]
    )
    rules += _modes() + _owners() + _call("mmap", _if_any(3, _HUGE_PAGES, errno.ENOMEM))
    if not isolated:
        for name in ("chmod", "fchmod", "fchmodat"):  # an error would break shutil.copy
            rules += _call(name, [_answer(0)])
        rules += _only_own_process(os.getpid(), signals_scoped)
        if not truncate_handled:
            rules += _truncation()
    return rules


def _refuse_other_architectures() -> list[Instruction]:
    """32-bit calls have other numbers, so a filter that forgets them filters nothing."""
    architecture = AUDIT_ARCHITECTURE[platform.machine()]
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, architecture),
        _answer(errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _refuse_what_is_newer() -> list[Instruction]:
    """What this table has not heard of does not exist: io_uring, pidfd, x32 (whose numbers are above a billion), and
    clone3, whose flags are behind a pointer; the C library falls back to clone."""
    allowed = [(_JUMP_EQUAL, 0, 1, number(name)) for name in ALLOWED_AFTER_THE_TABLE]
    body = [part for test in allowed for part in (test, (_RETURN, 0, 0, _ALLOW))] + [_answer(errno.ENOSYS)]
    return [(_JUMP_GREATER_OR_EQUAL, 0, len(body), last_in_table() + 1), *body]


def _processes(fork: bool) -> list[Instruction]:
    rules = _call("clone", _if_any(0, _NEW_NAMESPACES, errno.EPERM))
    if fork:
        return rules
    for name in ("fork", "vfork"):
        rules += _call(name, [_answer(errno.EPERM)])
    return rules + _call("clone", _unless(0, _THREAD, errno.EPERM, _THREAD))


def _modes() -> list[Instruction]:
    """No file becomes setuid or setgid: neither by chmod nor by the mode that a file is created with."""
    rules: list[Instruction] = []
    arguments = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "creat": 1, "mknod": 1, "mknodat": 2}
    for name, argument in arguments.items():
        rules += _call(name, _if_any(argument, _SETUID_BITS, errno.EPERM))
    for name, flags in (("open", 1), ("openat", 2)):
        test = _if_any(flags + 1, _SETUID_BITS, errno.EPERM)
        skip = [_argument(flags), (_AND, 0, 0, _WITH_A_MODE), (_JUMP_EQUAL, len(test), 0, 0)]
        rules += _call(name, skip + test)
    return rules


def _owners() -> list[Instruction]:
    """Descriptors are no way to signal others, to watch directories, or to type for somebody; priorities one by one."""
    rules = _call("fcntl", [part for command in _REFUSED_FCNTL for part in _if_equal(1, command, errno.EPERM)])
    rules += _call("ioctl", _only(1, _ALLOWED_IOCTL, errno.ENOTTY))
    rules += _call("renameat2", _if_any(4, _RENAME_WHITEOUT, errno.EINVAL))
    # setpriority of a group or a user, ioprio_set the same: one process at a time only
    rules += _call("setpriority", _unless(0, 0, errno.EPERM))
    return rules + _call("ioprio_set", _unless(0, 1, errno.EPERM))


def _only_own_process(own: int, signals_scoped: bool) -> list[Instruction]:
    rules: list[Instruction] = []
    limits = ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")
    for name, argument in [(name, 0) for name in limits] + [("setpriority", 1), ("ioprio_set", 1)]:
        rules += _call(name, _unless_zero_or(argument, own, errno.EPERM))
    if signals_scoped:
        return rules
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        rules += _call(name, _unless(0, own, errno.EPERM))
    return rules + _call("tkill", [_answer(errno.EPERM)])


def _truncation() -> list[Instruction]:
    """Before version 3 Landlock lets open(O_RDONLY|O_TRUNC) and truncate(2) empty any file that may be read."""
    rules = _call("truncate", [_answer(errno.EACCES)])
    for name, argument in (("open", 1), ("openat", 2)):
        rules += _call(name, _if_equal(argument, os.O_TRUNC, errno.EACCES, os.O_TRUNC | os.O_ACCMODE))
    return rules


# The words of the little language above. Each leaves the number of the call loaded, so that another can follow.


def _call(name: str, body: list[Instruction]) -> list[Instruction]:
    if (n := number(name)) is None:
        return []
    body = [*body, (_LOAD, 0, 0, _NUMBER)]
    return [(_JUMP_EQUAL, 0, len(body), n), *body]


def _answer(error_number: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | error_number)


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * index)


def _if_equal(argument: int, value: int, error_number: int, mask: int = 0xFFFFFFFF) -> list[Instruction]:
    return [_argument(argument), (_AND, 0, 0, mask), (_JUMP_EQUAL, 0, 1, value), _answer(error_number)]


def _unless(argument: int, value: int, error_number: int, mask: int = 0xFFFFFFFF) -> list[Instruction]:
    return [_argument(argument), (_AND, 0, 0, mask), (_JUMP_EQUAL, 1, 0, value), _answer(error_number)]


def _unless_zero_or(argument: int, value: int, error_number: int) -> list[Instruction]:
    return [_argument(argument), (_JUMP_EQUAL, 2, 0, 0), (_JUMP_EQUAL, 1, 0, value), _answer(error_number)]


def _only(argument: int, values: Sequence[int], error_number: int) -> list[Instruction]:
    tests = [(_JUMP_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(argument), *tests, _answer(error_number)]


def _if_any(argument: int, bits: int, error_number: int) -> list[Instruction]:
    return [_argument(argument), (_AND, 0, 0, bits), (_JUMP_EQUAL, 1, 0, 0), _answer(error_number)]
