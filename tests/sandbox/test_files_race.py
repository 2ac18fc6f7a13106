"""The swap race: another process puts a link in place of a directory and takes it away again, many thousand times a
second. A path that is checked and then opened loses this race often; a walk by descriptor cannot lose it."""

import ctypes
import itertools
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox.files import root as files
from sandbox.files.root import Refusal, Root

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "renameat2"), reason="this system has no renameat2(2)"),
]

PROJECT = Path(files.__file__).parents[2]
INSIDE, OUTSIDE = b"inside", b"outside"
# Swapped between the walk and the second look that finds the words: what was a link is a directory again.
REFUSED = {b"symlink", b"not_directory"}

SWAPPER = """if True:
    import ctypes, os, sys
    os.chdir(sys.argv[1])
    exchange, here = ctypes.CDLL(None).renameat2, -100  # AT_FDCWD
    while os.getppid() == int(sys.argv[2]):
        for _ in range(1000):
            assert exchange(here, b"directory", here, b"link", 2) == 0  # RENAME_EXCHANGE
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    for path, data in {"outside/file": OUTSIDE, "work/directory/file": INSIDE}.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(data)
    (tmp_path / "work" / "link").symlink_to(tmp_path / "outside")
    return tmp_path / "work"


@contextmanager
def swapping(work: Path) -> Iterator[None]:
    swapper = subprocess.Popen([sys.executable, "-c", SWAPPER, work, str(os.getpid())])
    try:
        yield
        assert swapper.poll() is None, "the swapper ended before the race did"
    finally:
        swapper.kill()
        swapper.wait()


def outcomes(count: int, do: Callable[[], bytes]) -> Counter[bytes]:
    """How often each answer came; a refusal counts under its reason."""
    seen: Counter[bytes] = Counter()
    for _ in range(count):
        try:
            seen[do()] += 1
        except Refusal as refusal:
            seen[refusal.reason.encode()] += 1
    return seen


def test_a_path_that_is_checked_and_then_opened_loses_the_race(work: Path) -> None:
    """So that the two tests below cannot pass because nothing was swapped."""

    def checked_then_opened() -> bytes:
        try:
            path = Path(os.path.realpath(work / "directory" / "file"))
            return path.read_bytes() if path.is_relative_to(work) else b"refused"
        except OSError:  # realpath(3) too gets confused
            return b"refused"

    with swapping(work):
        seen = outcomes(20_000, checked_then_opened)
    print(seen)
    assert seen[OUTSIDE] > 0


def test_of_twenty_thousand_reads_none_is_from_outside(work: Path) -> None:
    with swapping(work), Root(work) as root:
        seen = outcomes(20_000, lambda: root.read_bytes("directory/file"))
        seen_in_walks = Counter(path for _ in range(500) for path, _ in root.walk())
    print(seen, seen_in_walks)
    assert seen[INSIDE] > 0
    assert seen[b"symlink"] > 0
    assert set(seen) <= {INSIDE, *REFUSED}
    assert set(seen_in_walks) <= {"directory/file", "link/file"}


def test_of_five_thousand_writes_none_is_outside(work: Path) -> None:
    def write() -> bytes:
        root.write_bytes(next(paths), b"written")
        return b"written"

    paths = itertools.cycle(["directory/new", "directory/deep/new"])
    seen: Counter[bytes] = Counter()
    with swapping(work), Root(work) as root:
        while seen[b"written"] < 5_000:
            seen += outcomes(1_000, write)
    print(seen)
    assert seen[b"symlink"] > 0
    assert set(seen) <= {b"written", *REFUSED}
    outside = work.parent / "outside"
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"file": OUTSIDE}
    assert not [path for path in work.rglob("*") if path.name.endswith(".tmp")]


WRITER = """if True:
    import os, sys
    from sandbox.files.root import Root
    root = Root(sys.argv[1])
    for _ in range(500):
        try:
            os.write(1, b"writing\\n")
            while True:
                root.write_bytes("directory/file", os.urandom(1) * 100_000)
        except KeyboardInterrupt:
            continue
"""


def test_of_five_hundred_interrupts_none_leaves_half_a_file_or_a_temporary_one(work: Path) -> None:
    with (
        Root(work) as root,
        subprocess.Popen([sys.executable, "-c", WRITER, work], cwd=PROJECT, stdout=subprocess.PIPE) as writer,
    ):
        for line in writer.stdout:
            assert line == b"writing\n"
            for _ in range(random.randrange(50)):  # so that each interrupt comes at another moment of a write
                data = root.read_bytes("directory/file")
                assert data in (INSIDE, data[:1] * 100_000)
            writer.send_signal(signal.SIGINT)
        assert writer.wait() == 0
        assert [entry.name for entry in root.entries("directory")] == ["file"]
