"""What is not on the list of allowed system calls does not exist; the filter says so on both kinds of processor."""

from __future__ import annotations

import errno
import json
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.files.root import Root
from sandbox.running import levels, pretending
from sandbox.running.process import Limits, run_python
from sandbox.walls import bpf
from sandbox.walls.numbers import MACHINES, names, number
from sandbox.walls.syscalls import ALLOWED, REFUSED, UNTIL_THE_WALLS_STAND

if sys.platform != "linux":
    pytest.skip("system calls of Linux", allow_module_level=True)
from sandbox.walls import seccomp

ALLOWED_NAMES = [name for group in ALLOWED for name in group.split()]
ERRORS = {name: error for error, group in REFUSED for name in group.split()}
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
FOREIGN = {0x40000003, 0xC000003E, 0x40000028, 0xC00000B7, 0}  # i386, x86_64, arm, aarch64
X32 = range(0x40000000, 0x40000000 + 600)
GOES_THROUGH = "goes through"
OWN = 7
SIX = 0, 0, 0, 0, 0, 0
# uretprobe and uprobe of x86_64: newer kernels ask no filter about them. Outside a probe they end the program, or
# give ENXIO.
NEVER_ASKED = {335, 336} if platform.machine() == "x86_64" else set()


def outcome(program: bpf.Program, called: int, arguments: tuple[int, ...], architecture: int) -> tuple[str | int, int]:
    """What the kernel would do with a call, an oracle for the filter: the answer, and after how many instructions."""
    words = {0: called, 4: architecture} | {16 + 8 * place: value & 0xFFFFFFFF for place, value in enumerate(arguments)}
    loaded, place = 0, 0
    for steps in range(1, len(program) + 1):
        code, if_true, if_false, value = program[place]
        place += 1
        match code:
            case 0x20:
                loaded = words[value]
            case 0x54:
                loaded &= value
            case 0x05:
                place += value
            case 0x15:
                place += if_true if loaded == value else if_false
            case 0x35:
                place += if_true if loaded >= value else if_false
            case 0x06:
                return (GOES_THROUGH if value == 0x7FFF0000 else value - 0x50000), steps
            case _:
                raise AssertionError(f"no such instruction: {code}")
    raise AssertionError("it goes in a circle")


def a_filter(machine: str, isolated: bool, fork: bool = True, old_landlock: bool = False) -> bpf.Program:
    """As `install` builds it; old_landlock: one that handles neither signals nor truncation."""
    beside = [] if isolated else seccomp._beside_strangers(OWN, not old_landlock, not old_landlock)
    return seccomp.allowed_alone(machine, [*seccomp._always(fork), *beside])


def by_number(machine: str) -> dict[int, str]:
    found = {number(name, machine): name for name in [*ALLOWED_NAMES, *ERRORS]}
    return {called: name for called, name in found.items() if called is not None}


VARIANTS = [
    pytest.param(machine, isolated, fork, old, id=f"{machine} {isolated=} {fork=} {old=}")
    for machine in MACHINES
    for isolated, fork, old in [(True, True, False), (False, True, False), (False, False, True)]
]


@pytest.mark.parametrize(("machine", "isolated", "fork", "old"), VARIANTS)
def test_only_what_is_on_the_list_goes_through_the_filter(machine: str, isolated: bool, fork: bool, old: bool) -> None:
    program = a_filter(machine, isolated, fork, old)
    bpf.packed(program)  # no jump is too far
    assert len(program) < 4096  # BPF_MAXINSNS
    checks = [*seccomp._always(fork), *([] if isolated else seccomp._beside_strangers(OWN, not old, not old))]
    checked = {name for name, _ in checks}
    listed = by_number(machine)
    for called in [*range(1024), *X32, 2**31, 2**32 - 1]:
        name = listed.get(called)
        if name in checked:
            continue
        expected = ERRORS.get(name, GOES_THROUGH) if name else errno.ENOSYS
        for arguments in (SIX, (-1,) * 6):
            answer, steps = outcome(program, called, arguments, ARCHITECTURE[machine])
            assert (answer, called, name) == (expected, called, name)
            assert steps <= 16  # a search, not a walk


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_another_architecture_never_goes_through(machine: str) -> None:
    program = a_filter(machine, isolated=True)
    for foreign in FOREIGN - {ARCHITECTURE[machine]}:
        for called in [*range(600), *X32]:
            assert outcome(program, called, SIX, foreign)[0] == errno.ENOSYS


# Calls that go through with some arguments only: name, arguments, what comes of it, at which walls
FULL, STRONG, OLD, CHILDLESS = "full", "strong", "old Landlock", "no fork"
WHICH = {
    FULL: {"isolated": True},
    STRONG: {"isolated": False},
    OLD: {"isolated": False, "old_landlock": True},
    CHILDLESS: {"isolated": False, "fork": False},
}
BY_ARGUMENT = [
    ("clone", (0x3D0F00,), GOES_THROUGH, (FULL, STRONG, OLD, CHILDLESS)),  # a thread
    ("clone", (17,), GOES_THROUGH, (FULL, STRONG, OLD)),
    ("clone", (17,), errno.EPERM, (CHILDLESS,)),
    ("fork", (), errno.EPERM, (CHILDLESS,)),
    ("vfork", (), errno.EPERM, (CHILDLESS,)),
    ("vfork", (), GOES_THROUGH, (FULL, STRONG, OLD)),
    *(("clone", (flag | 17,), errno.EPERM, tuple(WHICH)) for flag in (1 << 17, *(1 << bit for bit in range(25, 31)))),
    ("socketpair", (1, 0o2000001, 0), GOES_THROUGH, tuple(WHICH)),
    ("socketpair", (1, 2, 0), errno.EPERM, tuple(WHICH)),
    ("socketpair", (2, 1, 0), errno.EPERM, tuple(WHICH)),
    ("mmap", (0, 4096, 3, 0x22), GOES_THROUGH, tuple(WHICH)),
    ("mmap", (0, 1 << 21, 3, 0x40022), errno.ENOMEM, tuple(WHICH)),
    ("fchmodat", (-100, 0, 0o755), GOES_THROUGH, (FULL,)),
    ("fchmodat", (-100, 0, 0o755), 0, (STRONG, OLD)),
    ("fchmodat", (-100, 0, 0o4755), errno.EPERM, tuple(WHICH)),
    ("openat", (-100, 0, 0o101, 0o2755), errno.EPERM, tuple(WHICH)),
    ("openat", (-100, 0, 0o101, 0o755), GOES_THROUGH, tuple(WHICH)),
    ("openat", (-100, 0, 0, 0o7777), GOES_THROUGH, tuple(WHICH)),  # no mode is looked at where nothing is made
    ("openat", (-100, 0, 0o1000, 0), errno.EACCES, (OLD,)),
    ("openat", (-100, 0, 0o1000, 0), GOES_THROUGH, (FULL, STRONG)),
    ("openat", (-100, 0, 0o1001, 0), GOES_THROUGH, tuple(WHICH)),
    ("truncate", (0, 0), errno.EACCES, (OLD,)),
    ("truncate", (0, 0), GOES_THROUGH, (FULL, STRONG)),
    ("mknodat", (-100, 0, 0o104644), errno.EPERM, tuple(WHICH)),
    ("renameat2", (-100, 0, -100, 0, 1), GOES_THROUGH, tuple(WHICH)),
    ("renameat2", (-100, 0, -100, 0, 4), errno.EINVAL, tuple(WHICH)),
    ("fcntl", (3, 3), GOES_THROUGH, tuple(WHICH)),
    *(("fcntl", (3, command), errno.EPERM, tuple(WHICH)) for command in (8, 10, 15, 1024, 1026, 1031)),
    ("ioctl", (1, 0x5413), GOES_THROUGH, tuple(WHICH)),
    ("ioctl", (1, 0x4020940D), GOES_THROUGH, tuple(WHICH)),
    ("ioctl", (1, 0x5412), errno.ENOTTY, tuple(WHICH)),
    ("setpriority", (0, 0, 1), GOES_THROUGH, tuple(WHICH)),
    ("setpriority", (0, OWN, 1), GOES_THROUGH, tuple(WHICH)),
    ("setpriority", (0, 8, 1), errno.EPERM, (STRONG, OLD)),
    ("setpriority", (2, 0, 1), errno.EPERM, tuple(WHICH)),
    ("ioprio_set", (1, 8, 1), errno.EPERM, (STRONG, OLD)),
    ("ioprio_set", (3, 0, 1), errno.EPERM, tuple(WHICH)),
    ("prlimit64", (0, 7), GOES_THROUGH, tuple(WHICH)),
    ("prlimit64", (OWN, 7), GOES_THROUGH, tuple(WHICH)),
    ("prlimit64", (8, 7), errno.EPERM, (STRONG, OLD)),
    ("prlimit64", (8, 7), GOES_THROUGH, (FULL,)),
    ("kill", (8, 9), errno.EPERM, (OLD,)),
    ("kill", (8, 9), GOES_THROUGH, (FULL, STRONG)),
    ("kill", (OWN, 9), GOES_THROUGH, tuple(WHICH)),
    ("tkill", (8, 9), errno.EPERM, (OLD,)),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("walls", WHICH)
def test_arguments_are_looked_at_on_both_kinds_of_processor(machine: str, walls: str) -> None:
    program = a_filter(machine, **WHICH[walls])
    told = {
        (name, arguments): outcome(program, called, (*arguments, *SIX)[:6], ARCHITECTURE[machine])[0]
        for name, arguments, _, where in BY_ARGUMENT
        if walls in where and (called := number(name, machine)) is not None
    }
    wanted = {(name, arguments): came for name, arguments, came, where in BY_ARGUMENT if walls in where}
    assert told == {key: wanted[key] for key in told}
    assert len(told) > 25


@pytest.mark.parametrize("machine", MACHINES)
def test_the_second_filter_refuses_more_walls_and_nothing_else(machine: str) -> None:
    program = seccomp.no_more_walls(machine)
    walls = {number(name, machine) for name in UNTIL_THE_WALLS_STAND.split()}
    option = number("prctl", machine)
    for called in range(1024):
        expected = errno.ENOSYS if called in walls else GOES_THROUGH
        assert outcome(program, called, SIX, 0)[0] == expected, called
    assert outcome(program, option, (22, 2, 0, 0, 0, 0), 0)[0] == errno.EINVAL


HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_systems_headers(machine: str) -> None:
    header = next((Path(path) for path in HEADERS[machine] if Path(path).exists()), None)
    if header is None:
        pytest.skip("this system has no headers of Linux")
    pattern = r"#define __NR(?:3264)?_(\w+)\s+(\d+)$"
    there = {name: int(value) for name, value in re.findall(pattern, header.read_text(), re.MULTILINE)}
    there |= {"newfstatat": there["fstatat"]} if "fstatat" in there else {}
    newest = max(there.values())
    ours = {name: number(name, machine) for name in names()}
    assert {name: called for name, called in ours.items() if (called or 0) <= newest} == {
        name: there.get(name) for name, called in ours.items() if (called or 0) <= newest
    }


def test_every_call_on_the_lists_has_a_number_and_stands_on_one_list_once() -> None:
    listed = [*ALLOWED_NAMES, *ERRORS]
    assert len(listed) == len(set(listed)) == len(ALLOWED_NAMES) + sum(len(group.split()) for _, group in REFUSED)
    assert set(names()) == {*listed, "capset", "mount_setattr"}  # two that the walls themselves make
    for machine in MACHINES:
        numbers = [called for name in names() if (called := number(name, machine)) is not None]
        assert len(numbers) == len(set(numbers)) > 190


CALLS = """
import ctypes, errno, fcntl, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def descriptors():
    return [d for d in range(256) if libc.fcntl(d, 1) >= 0]
before = descriptors(), os.getpid(), os.getcwd(), os.getresuid()
found = {}
for number in json.loads(sys.argv[1]):
    for argument in (0, -1):
        result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(argument)] * 6)
        found.setdefault(number, []).append(ctypes.get_errno() if result == -1 else f"done: {result}")
assert (descriptors(), os.getpid(), os.getcwd(), os.getresuid()) == before
print(json.dumps(found))
"""


@pytest.fixture(params=["as it is", "no namespaces"])
def level(request: pytest.FixtureRequest) -> Iterator[levels.Level]:
    if not levels.level().confined:
        pytest.skip(f"no walls here: {levels.level().line}")
    with pretending.hidden(*(["namespaces"] if request.param != "as it is" else [])):
        yield levels.level()


def test_every_call_that_is_not_on_the_list_gives_its_error_and_does_nothing(
    tmp_path: Path, level: levels.Level
) -> None:
    listed = by_number(platform.machine())
    allowed_now = set(ALLOWED_NAMES) - set(UNTIL_THE_WALLS_STAND.split())
    tried = [
        called for called in [*range(601), *X32] if listed.get(called) not in allowed_now and called not in NEVER_ASKED
    ]
    (tmp_path / "main.py").write_text(CALLS)
    with Root(tmp_path) as root:
        done = run_python(root, ["main.py", json.dumps(tried)], limits=Limits(seconds=20))
    assert done.exit_code == 0, done
    found = {int(called): answers for called, answers in json.loads(done.stdout).items()}
    expected = {called: [ERRORS.get(listed.get(called, ""), errno.ENOSYS)] * 2 for called in tried}
    assert found == expected
