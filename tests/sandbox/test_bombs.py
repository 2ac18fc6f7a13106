"""Programs that want everything: none leaves a process or a file outside, or fills the agent; each ends near its limit."""

# ruff: noqa: E501 - a program is one line of data

import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.files.root import Root
from sandbox.running import levels, pretending
from sandbox.running.process import Limits, Outcome, run_python

pytestmark = pytest.mark.long

LIMITS = Limits(seconds=3, memory_bytes=128 * 2**20, output_bytes=20_000, processes=32, file_bytes=8 * 2**20)
MIB = 2**20

ENDED_MAIN = (  # the main thread ends and another goes on: /proc/PID then shows neither memory nor descriptors
    "import ctypes, os, platform, threading, time\n"
    "def alone(work):\n    threading.Thread(target=work).start()\n"
    "    ctypes.CDLL(None).syscall(ctypes.c_long(60 if platform.machine() == 'x86_64' else 93), 0)\n"
)

# name: (program, what may have stopped it; None: it ended by itself, refused by the kernel)
BOMBS = {
    "fork": (
        "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
        {"processes", "time"},
    ),
    "fork and leave": (
        "import os\nwhile True:\n    try:\n        if os.fork():\n            os._exit(0)\n        os.setsid()\n"
        "    except OSError:\n        pass",
        {"processes", "time", None},
    ),
    "threads": (
        "import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(60,)).start()",
        {"processes", "time", None},
    ),
    "memory": ("x = []\nwhile True:\n    x.append(bytes(2**20))", {"memory", None}),
    "memory in six processes": (
        "import os, time\n"
        "def eat():\n    x = []\n    while len(x) < 60:\n        x.append(b'x' * 2**20)\n    time.sleep(60)\n"
        "for _ in range(6):\n    if os.fork() == 0:\n        eat()\n"
        "time.sleep(60)",
        {"memory", None},  # None: as root without namespaces there is no fork
    ),
    "shared memory": (
        "import mmap, time\nx = mmap.mmap(-1, 200 * 2**20)\nfor _ in range(200):\n    x.write(bytes(2**20))\ntime.sleep(60)",
        {"memory"},
    ),
    "output": ("while True: print('x' * 10_000)", {"output"}),
    "output on two streams": (
        "import os\nwhile True:\n    os.write(1, b'x' * 10_000)\n    os.write(2, b'y' * 10_000)",
        {"output"},
    ),
    "endless loop": ("while True: pass", {"time"}),
    "a loop that ignores every signal": (
        "import signal\n"
        "for number in signal.valid_signals():\n"
        "    try:\n        signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\n"
        "while True: pass",
        {"time"},
    ),
    "daemon": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.close(1); os.close(2)\n    time.sleep(60)\nos._exit(0)",
        {None},
    ),
    "daemon that holds standard output": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(60)\nos._exit(0)",
        {None},
    ),
    "reading standard input": ("print(repr(input()))", {None}),
    "one large file": ("f = open('big', 'wb')\nwhile True: f.write(bytes(2**20))", {None}),
    "many files": (
        "import itertools\nfor n in itertools.count():\n    open(f'f{n}', 'wb').write(bytes(4 * 2**20))",
        {"disk"},
    ),
    "files without a name": (
        "import os\nkeep = []\nwhile True:\n    keep.append(open('f', 'wb'))\n    keep[-1].write(bytes(4 * 2**20))\n"
        "    keep[-1].flush()\n    os.unlink('f')",
        {"disk"},
    ),
    "a full temporary directory": (
        "import tempfile\nkeep = []\nwhile True:\n    keep.append(tempfile.NamedTemporaryFile())\n"
        "    keep[-1].write(bytes(4 * 2**20))",
        {"disk", None},
    ),
    "memory behind a main thread that has ended": (
        ENDED_MAIN + "x = bytearray(180 * 2**20)  # addresses; they become memory when they are written to\n"
        "def work():\n    time.sleep(0.3)\n    for n in range(0, len(x), 4096): x[n] = 1\n    time.sleep(60)\nalone(work)",
        {"memory"},
    ),
    "files without a name behind a main thread that has ended": (
        ENDED_MAIN + "def work():\n    keep = []\n    while True:\n        keep.append(open('f', 'wb'))\n"
        "        keep[-1].write(bytes(4 * 2**20))\n        keep[-1].flush()\n        os.unlink('f')\nalone(work)",
        {"disk"},
    ),
    "files without a name that are only mapped": (
        "import mmap, os, time\nkeep = []\nfor _ in range(10):\n    with open('f', 'w+b') as f:\n        f.write(bytes(4 * 2**20))\n"
        "        f.flush()\n        keep.append(mmap.mmap(f.fileno(), 0))\n    os.unlink('f')\ntime.sleep(60)",
        {"disk"},
    ),
    "buffers of sockets": (
        "import socket, time\nkeep = []\nwhile len(keep) < 230:\n    keep += socket.socketpair()\n    keep[-1].setblocking(False)\n"
        "    keep[-1].setsockopt(1, 7, 1 << 22)\n    try:\n        while True: keep[-1].send(bytes(1 << 16))\n"
        "    except BlockingIOError:\n        pass\ntime.sleep(60)",
        {"memory"},
    ),
    "directories": (
        "import itertools, os\nfor n in itertools.count():\n    os.mkdir(f'd{n}')",
        {"disk", "time"},  # time: on a slow disk
    ),
    "core": ("import os, resource\nos.abort()", {None}),
    "deep directories": (
        "import os\nos.chdir(os.environ['TMPDIR'])\n"
        "for _ in range(300):\n    os.mkdir('d' * 100)\n    os.chdir('d' * 100)\n    open('f', 'w').close()\n"
        "os.chmod('.', 0)\nprint('deep')",
        {None},
    ),
    "death by signal": ("import os\nos.kill(os.getpid(), 9)", {None}),
    "killing its own group": ("import os\nos.killpg(0, 9)", {None}),
    "closing its streams": ("import os, time\nos.close(0); os.close(1); os.close(2)\nwhile True: pass", {"time"}),
    "stopping itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", {"time"}),
}


@pytest.fixture(scope="module", params=["as it is", "no namespaces"])
def level(request: pytest.FixtureRequest) -> Iterator[levels.Level]:
    with pretending.hidden(*(["namespaces"] if request.param != "as it is" else [])):
        yield levels.level()


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        yield root


def run(root: Root, code: str) -> Outcome:
    (root.path / "main.py").write_text(code)
    return run_python(root, ["main.py"], limits=LIMITS)


def processes_in(directory: Path) -> list[int]:
    """Living processes whose working directory is this one or below it."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cwd").readlink().is_relative_to(directory):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def private_directories() -> set[str]:
    return {path.name for path in Path(tempfile.gettempdir()).glob("glassbox-*")}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_near_its_limit_and_leaves_nothing(level: levels.Level, root: Root, name: str) -> None:
    code, expected = BOMBS[name]
    if "fork" in code and not level.can_fork:
        expected = {*expected, None, "time"}
    before, memory = private_directories(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = run(root, code)
    assert outcome.stopped_for in expected, outcome
    assert outcome.seconds < LIMITS.seconds + 1
    assert processes_in(root.path) == []
    assert private_directories() <= before
    assert {path.name for path in root.path.parent.iterdir()} == {"work"}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 20 * 1024  # kibibytes
    assert sum(path.stat().st_size for path in root.path.iterdir()) < 200 * MIB
    assert not any("core" in path.name for path in root.path.iterdir())


def test_an_interrupt_shows_where_a_loop_hangs(level: levels.Level, root: Root) -> None:
    outcome = run(root, "def spin():\n    while True: pass\nspin()")
    assert "KeyboardInterrupt" in outcome.stderr
    assert "in spin" in outcome.stderr


def test_after_a_bomb_the_next_run_is_as_ever(level: levels.Level, root: Root) -> None:
    run(root, BOMBS["fork"][0])
    assert run(root, "print(1)").stdout == "1\n"


LONG_WAY = """
import os, signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
top = os.open(os.environ["TMPDIR"], os.O_RDONLY)
os.fchdir(top)
for _ in range(18):
    os.mkdir("x" * 240); os.chdir("x" * 240)
hidden = os.open(".", os.O_RDONLY)
os.mkdir("leaf"); os.chdir("leaf")
for n in range(20_000):
    os.close(os.open(str(n), os.O_CREAT | os.O_WRONLY))
os.fchdir(hidden)
for _ in range(1500):
    os.mkdir("a"); os.chdir("a")
os.rename("leaf", "leaf", src_dir_fd=hidden, dst_dir_fd=os.open(".", os.O_RDONLY))
os.rename("a", "a", src_dir_fd=hidden, dst_dir_fd=top)
print("built", flush=True)
while True: time.sleep(0.05)
"""


def test_the_clock_does_not_wait_for_a_long_walk(level: levels.Level, root: Root) -> None:
    """The tree is seen at once and a long way down; with one process for clock and walk it lived many seconds more."""
    (root.path / "main.py").write_text(LONG_WAY)
    outcome = run_python(root, ["main.py"], limits=Limits(seconds=6))
    assert outcome.stopped_for in ("time", "disk")
    assert outcome.seconds < 20  # a hang guard


def test_files_deeper_than_a_path_can_be_long_are_counted(level: levels.Level, root: Root) -> None:
    code = (
        "import itertools, os\nfor _ in range(30):\n    os.mkdir('d' * 200); os.chdir('d' * 200)\n"
        "for n in itertools.count():\n    open(f'f{n}', 'wb').write(bytes(4 * 2**20))"
    )
    assert run(root, code).stopped_for == "disk"
