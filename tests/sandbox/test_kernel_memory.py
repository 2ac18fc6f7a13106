"""Memory that is in no process's own account: it cannot be had, or it is counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.files.root import Root
from sandbox.running import levels, pretending
from sandbox.running.process import Limits, Outcome, run_python

MIB = 2**20
CALLS = """
import ctypes, errno, fcntl, os
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def tell(name, result):
    print(name, "done" if result not in (-1, 2**64 - 1) else errno.errorcode[ctypes.get_errno()])
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
read, write = os.pipe()
text = ctypes.create_string_buffer(4096)
tell("vmsplice", libc.vmsplice(write, ctypes.byref(Part(ctypes.addressof(text), 1)), 1, 2))
file = os.open("main.py", os.O_RDONLY)
tell("splice", libc.splice(file, None, write, None, 1, 0))
tell("tee", libc.tee(read, write, 1, 0))
tell("sendfile", libc.sendfile(write, file, None, 1))
tell("F_SETPIPE_SZ", libc.fcntl(write, 1031, 1 << 20))
tell("MAP_HUGETLB", libc.mmap(None, 1 << 21, 3, 0x22 | 0x40000, -1, 0))
tell("landlock", libc.syscall(444, None, 0, 1))
tell("seccomp", libc.syscall(277 if os.uname().machine == "aarch64" else 317, 1, 0, None))
tell("PR_SET_SECCOMP", libc.prctl(22, 2, None, 0, 0))
import shutil
shutil.copyfile("main.py", "copy.py")
print("copied", open("copy.py").read() == open("main.py").read())
"""
REFUSED = {
    **dict.fromkeys(("vmsplice", "splice", "tee", "sendfile"), "EINVAL"),
    "F_SETPIPE_SZ": "EPERM",
    "MAP_HUGETLB": "ENOMEM",
    "landlock": "ENOSYS",
    "seccomp": "ENOSYS",  # a filter of its own
    "PR_SET_SECCOMP": "EINVAL",
    "copied": "True",
}


@pytest.fixture(params=["as it is", "no namespaces"])
def level(request: pytest.FixtureRequest) -> Iterator[levels.Level]:
    if not levels.level().confined:
        pytest.skip(f"no walls here: {levels.level().line}")
    with pretending.hidden(*(["namespaces"] if request.param != "as it is" else [])):
        yield levels.level()


def run(folder: Path, code: str, **limits: int) -> Outcome:
    (folder / "main.py").write_text(code)
    with Root(folder) as root:
        return run_python(root, ["main.py"], limits=Limits(seconds=20, **limits))


def test_no_call_holds_memory_that_nobody_counts(tmp_path: Path, level: levels.Level) -> None:
    outcome = run(tmp_path, CALLS)
    assert dict(re.findall(r"^(\S+) (\S+)$", outcome.stdout, re.MULTILINE)) == REFUSED, outcome


def test_what_waits_in_pipes_counts_as_memory(tmp_path: Path, level: levels.Level) -> None:
    code = (
        "import os, time\nfor _ in range(100):\n    read, write = os.pipe()\n    os.set_blocking(write, False)\n"
        "    os.write(write, bytes(1 << 16))\nx = b'x' * (24 << 20)\ntime.sleep(15)"
    )
    outcome = run(tmp_path, code, memory_bytes=32 * MIB)  # 6 in pipes, 24 and Python's own
    assert outcome.stopped_for == "memory", outcome
    outcome = run(tmp_path, code.replace("15)", "0.5)").replace("range(100)", "range(1)"), memory_bytes=64 * MIB)
    assert outcome.stopped_for is None, outcome


def test_a_temporary_directory_in_memory_counts_as_memory(tmp_path: Path, level: levels.Level) -> None:
    code = (
        "import os, time\nx = b'x' * (60 << 20)\n"
        "for n in 'ab': open(os.environ['TMPDIR'] + '/' + n, 'wb').write(x[:40 << 20])\ntime.sleep(%s)"
    )
    if "namespaces" in level.walls:
        assert run(tmp_path, code % 15, memory_bytes=120 * MIB).stopped_for == "memory"
    assert run(tmp_path, code % 0.5, memory_bytes=300 * MIB).stopped_for is None
