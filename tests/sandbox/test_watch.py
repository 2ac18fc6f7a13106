"""What a run takes of memory and disk is counted to the byte, each thing once, and what cannot be asked ends nothing."""

from __future__ import annotations

import errno
import mmap
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

if sys.platform != "linux":
    pytest.skip("there is no /proc here", allow_module_level=True)

from sandbox.running import buffers, disk, watch
from sandbox.running.disk import Begun, Disk
from sandbox.running.watch import Watch

HERE = {os.getpid(): [str(os.getpid())]}
GONE = 2**22 + 1  # beyond every process number, proc_sys_kernel(5)


class Clock:
    """The time, which passes as each look at it says."""

    def __init__(self, *times: float) -> None:
        self.times = list(times)

    def monotonic(self) -> float:
        return self.times.pop(0) if len(self.times) > 1 else self.times[0]


# The disk


def asked(monkeypatch: pytest.MonkeyPatch, *, free: list[int], most: int = 400, at: int = 1000) -> Disk:
    """A run in two directories, 10,000 and 20,000 bytes free at first, with so much free now."""
    monkeypatch.setattr(disk, "time", Clock(50.0))
    monkeypatch.setattr(disk, "_free_bytes", lambda place: free[place])
    return Disk(most // 4, Begun([0, 1], at, [10_000, 20_000]))


@pytest.mark.parametrize(
    ("blocks", "changed", "cost"), [(0, 1000, 1024), (8, 1000, 5120), (8, 1001, 5120), (8, 999, 0), (3, 2000, 2560)]
)
def test_what_was_made_or_changed_since_costs_its_blocks_and_its_name(
    monkeypatch: pytest.MonkeyPatch, blocks: int, changed: int, cost: int
):
    status = SimpleNamespace(st_blocks=blocks, st_ctime_ns=changed)
    entry: Any = SimpleNamespace(stat=lambda *, follow_symlinks: None if follow_symlinks else status)
    assert asked(monkeypatch, free=[0, 0])._cost(entry) == cost


def test_what_cannot_be_looked_at_costs_nothing(monkeypatch: pytest.MonkeyPatch):
    def stat(*, follow_symlinks: bool) -> None:
        raise FileNotFoundError

    entry: Any = SimpleNamespace(stat=stat)
    assert asked(monkeypatch, free=[0, 0])._cost(entry) == 0


@pytest.mark.parametrize(
    ("free", "shrunk"),
    [([10_000, 20_000], 0), ([9_000, 19_500], 1000), ([9_900, 19_000], 1000), ([10_500, 20_100], -100)],
)
def test_the_disk_has_shrunk_by_what_is_missing_where_most_is(
    monkeypatch: pytest.MonkeyPatch, free: list[int], shrunk: int
):
    assert asked(monkeypatch, free=free)._shrunk_by() == shrunk


@pytest.mark.parametrize(
    ("now", "shrunk", "named", "nameless", "exceeded", "walked"),
    [
        (50.9, 199, 999, 0, False, False),  # too early
        (50.9, 200, 400, 0, False, True),
        (50.9, 200, 401, 0, True, True),
        (51.0, 0, 400, 0, False, True),
        (51.0, 0, 400, 1, True, True),
        (51.0, 0, 0, 401, True, True),
        (51.0, 400, None, 0, False, True),  # directories are moved about: what the disk has shrunk by
        (51.0, 401, None, 0, True, True),
        (51.0, 300, None, 101, True, True),
    ],
)
def test_a_run_may_take_four_times_its_largest_file(
    monkeypatch: pytest.MonkeyPatch,
    now: float,
    shrunk: int,
    named: int | None,
    nameless: int,
    exceeded: bool,
    walked: bool,
):
    looked: list[object] = []

    def names() -> int:
        looked.append(True)
        if named is None:
            raise OSError(errno.ESTALE, "moved")
        return named

    taken = asked(monkeypatch, free=[10_000 - shrunk, 20_000])
    monkeypatch.setattr(taken, "_bytes_with_a_name", names)
    monkeypatch.setattr(disk, "_bytes_without_a_name", lambda tree: nameless if tree is HERE else -(10**9))
    monkeypatch.setattr(disk, "time", Clock(now, now + 0.25))
    assert taken.exceeded(lambda: HERE) is exceeded
    assert bool(looked) is walked
    assert taken._next_walk == (now + 1 + 5 if walked else 51.0), "a long look is not begun again soon"


def test_the_files_of_all_directories_are_added_up_until_it_is_too_much(monkeypatch: pytest.MonkeyPatch):
    trees = {0: [[1, 2], [3]], 1: [[100], [200, 90], [5], [10_000]]}
    entered: list[int] = []

    def folders(place: int) -> Iterator[tuple[None, None, list[int]]]:
        for costs in trees[place]:
            entered.append(sum(costs))
            yield None, None, costs

    monkeypatch.setattr(disk, "folders", folders)
    taken = asked(monkeypatch, free=[10_000, 20_000])
    monkeypatch.setattr(taken, "_cost", int)
    assert taken._count(0) == 401
    assert entered == [3, 3, 100, 290, 5], "what is beyond it is not looked at"
    trees[1] = [[394]]
    assert taken._count(0) == 400, "so much may be"


@pytest.mark.parametrize(("shrunk", "again"), [(50, False), (51, True)])
def test_a_walk_that_is_overtaken_is_begun_again(monkeypatch: pytest.MonkeyPatch, shrunk: int, again: bool):
    """After two directories each, here, it is seen that the disk has shrunk by more than an eighth of what may be."""
    free, walks = [10_000, 20_000], list[int]()

    def folders(place: int) -> Iterator[tuple[None, None, list[int]]]:
        walks.append(place)
        for number in range(5):
            if number == 3:
                free[1] = 20_000 - shrunk
            yield None, None, [1]

    monkeypatch.setattr(disk, "folders", folders)
    monkeypatch.setattr(disk, "_LOOK_UP", 2)
    taken = asked(monkeypatch, free=free)
    monkeypatch.setattr(taken, "_cost", int)
    assert taken._bytes_with_a_name() == 10
    assert walks == ([0, 0, 1] if again else [0, 1])


def test_the_room_on_a_disk_is_that_of_the_superuser_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "statvfs", lambda place: SimpleNamespace(f_bfree=7, f_frsize=4096, f_blocks=10, f_bavail=1))
    assert disk._free_bytes(0) == 7 * 4096
    assert watch._used(0) == 3 * 4096

    def gone(place: int) -> None:
        raise OSError(errno.EIO, "")

    monkeypatch.setattr(os, "statvfs", gone)
    assert disk._free_bytes(0) == watch._used(0) == 0


def test_a_run_begins_with_what_is_free_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(disk, "_free_bytes", lambda place: place * 10)
    begun = Begun.now([3, 5])
    assert (begun.places, begun.free) == ([3, 5], [30, 50])
    assert abs(begun.at - disk.time.time_ns()) < 10**11


MAPS = """\
7f0000000000-7f0000003000 rw-s 00000000 fd:01 42                         /tmp/a file (deleted)
7f0000010000-7f0000011000 r--p 00003000 fd:01 42                         /tmp/a file (deleted)
7f0000020000-7f0000021000 rw-s 00000000 00:05 43                         /tmp/other (deleted)
7f0000030000-7f0000031000 rw-s 00000000 00:01 44                         /dev/zero (deleted)
7f0000040000-7f0000041000 rw-p 00000000 fd:01 45                         /tmp/still there
7f0000050000-7f0000051000 rw-p 00000000 00:00 0
"""


def test_what_is_deleted_and_mapped_counts_by_its_addresses(tmp_path: Path):
    (tmp_path / "maps").write_text(MAPS)
    assert disk._mapped_without_a_name(str(tmp_path / "maps")) == {"fd:01 42": 0x4000, "00:05 43": 0x1000}


HOLDING = """if True:
    import mmap, os, sys
    def until_told():
        print(flush=True)
        sys.stdin.readline()
    file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
    os.write(file, b"x" * 3 * 2**20)
    until_told()
    os.unlink(sys.argv[1])
    until_told()
    os.dup(file)
    mapped = mmap.mmap(file, 2**20)
    until_told()
    os.closerange(3, 100)
    until_told()
"""


def test_a_deleted_file_counts_once_however_it_is_held(tmp_path: Path):
    command = [sys.executable, "-I", "-S", "-c", HOLDING, str(tmp_path / "file")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin
        assert holder.stdout
        tree = {GONE: ["1"], holder.pid: [str(holder.pid)]}
        seen = []
        for step in range(4):
            holder.stdout.readline()
            if not step:
                size = (tmp_path / "file").stat().st_blocks * 512
            seen.append(disk._bytes_without_a_name(tree))
            holder.stdin.write(b"\n")
            holder.stdin.flush()
    assert seen == [0, size, size, 2**20], "named; open; open twice and mapped; mapped alone"


# Memory that the kernel holds


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


def number_of(file: Any) -> int:
    return os.fstat(file.fileno()).st_ino


def test_what_was_sent_and_not_read_is_told_of_the_one_who_sent_it(pair: tuple[socket.socket, socket.socket]):
    with buffers.ask_here() as netlink:
        before = buffers.of_sockets(netlink)
        if not before:
            pytest.skip("this kernel does not know the question")
        pair[0].send(b"x" * 10_000)
        now = buffers.of_sockets(netlink)
        assert before[number_of(pair[0])] == before[number_of(pair[1])] == now[number_of(pair[1])] == 0
        assert 10_000 <= now[number_of(pair[0])] < 40_000
        pair[1].recv(20_000)
        assert buffers.of_sockets(netlink)[number_of(pair[0])] == 0


def message(kind: int, body: bytes) -> bytes:
    whole = struct.pack("=IHHII", 16 + len(body), kind, 2, 1, 0) + body
    return whole + bytes(-len(whole) % 4)


def answer(number: int, *attributes: tuple[int, bytes]) -> bytes:
    body = struct.pack("=BBBBIII", 1, 1, 1, 0, number, 0, 0)
    for kind, data in attributes:
        body += struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)
    return body


def memory(waiting: int) -> tuple[int, bytes]:
    return 5, struct.pack("=9I", 11, 12, waiting, *range(14, 20))


class Netlink:
    def __init__(self, *said: bytes | OSError) -> None:
        self.said, self.sent = list(said), list[bytes]()

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def recv(self, most: int) -> bytes:
        assert most == 65536
        said = self.said.pop(0)
        if isinstance(said, OSError):
            raise said
        return said


DONE = message(3, b"\0\0\0\0")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ([DONE], {}),
        ([message(20, answer(7, memory(512))) + message(20, answer(8, memory(0))) + DONE], {7: 512, 8: 0}),
        (
            [message(20, answer(7, (0, b""), (1, b"a"), (3, b"abcdef"), memory(9))), message(20, answer(9)) + DONE],
            {7: 9, 9: 0},
        ),
        ([message(20, answer(7, memory(4), (6, b"xy"))) + DONE + message(20, answer(8, memory(1)))], {7: 4}),
        ([message(2, b"\0" * 20) + message(20, answer(8, memory(1)))], {}),
        ([message(20, answer(7, memory(1))), OSError(errno.EAGAIN, "no answer")], {}),
        ([message(20, answer(7) + b"\0\0\0\0") + DONE], {7: 0}),
    ],
)
def test_the_answers_of_the_kernel_are_read_to_their_end(said: list[bytes | OSError], found: dict[int, int]):
    netlink: Any = Netlink(*said)
    assert buffers.of_sockets(netlink) == found
    [question] = netlink.sent
    assert struct.unpack("=IHHII", question[:16]) == (40, 20, 0x301, 1, 0), "sock_diag(7): by family, all of them"
    family, protocol, _, states, number, show, *cookie = struct.unpack("=BBHIIIII", question[16:])
    assert (family, protocol, number, show, cookie) == (1, 0, 0, 0x20, [2**32 - 1] * 2)
    assert states == 2**32 - 1


def test_lengths_are_rounded_up_to_words():
    assert [buffers._aligned(length) for length in range(10)] == [0, 4, 4, 4, 4, 8, 8, 8, 8, 12]


def test_a_pipe_holds_sixteen_pages(pair: tuple[socket.socket, socket.socket]):
    read, write = os.pipe()
    os.set_blocking(write, False)
    assert os.write(write, bytes(2**20)) == buffers.PIPE_BYTES
    sockets, pipes = buffers.held_by({**HERE, GONE: ["1"]})
    assert {number_of(pair[0]), number_of(pair[1])} <= sockets
    assert os.fstat(read).st_ino in pipes
    for descriptor in (read, write):
        os.close(descriptor)
    assert buffers.held_by({GONE: ["1"]}) == (set(), set())


# Processes


def test_every_process_below_is_found_and_none_beside():
    with subprocess.Popen(
        ["sh", "-c", "sleep 60 & echo x; wait"], stdout=subprocess.PIPE, start_new_session=True
    ) as tree:
        assert tree.stdout
        tree.stdout.read(1)
        [below] = watch.children(tree.pid)
        assert watch.descendants(tree.pid) == [below]
        assert {tree.pid, below} <= set(watch.descendants(os.getpid()))
        assert watch.threads(tree.pid) == [str(tree.pid)]
        os.killpg(tree.pid, 9)
    assert watch.children(GONE) == watch.descendants(GONE) == watch.threads(GONE) == []


def test_memory_is_asked_of_a_thread_that_still_lives():
    me = os.getpid()
    with open("/proc/self/statm") as file:  # noqa: PTH123
        pages = int(file.read().split()[1])
    for threads in ([str(me)], [str(GONE), str(me)]):
        resident = watch._resident_bytes(me, threads)
        assert abs(resident - pages * mmap.PAGESIZE) < 2**24
        proportional = watch._proportional_bytes(me, threads)
        assert resident / 10 < proportional < resident * 1.5
    assert watch._resident_bytes(me, [str(GONE)]) == watch._proportional_bytes(me, [str(GONE)]) == 0


def watching(monkeypatch: pytest.MonkeyPatch, *, without: int | None = None, memory: int = 1000) -> Watch:
    """A run of the processes 10, with two threads, and 11, that may have three threads and so much memory; ours are the
    process that only reaps, and this one."""
    tree = {1: [10, os.getpid(), 5], 10: [11]}
    monkeypatch.setattr(watch, "descendants", lambda process: [*tree[process], *tree.get(tree[process][0], [])])
    monkeypatch.setattr(watch, "threads", lambda process: {10: ["10", "12"]}.get(process, [str(process)]))
    taken: Any = SimpleNamespace(places=[3, 4], exceeded=lambda tree: False)
    netlink: Any = object()
    return Watch({"processes": 3, "memory_bytes": memory}, taken, netlink, 1, without)


def test_the_threads_of_a_run_are_counted_without_those_who_watch(monkeypatch: pytest.MonkeyPatch):
    watched = watching(monkeypatch, without=5)
    monkeypatch.setattr(watched, "_memory_exceeded", lambda tree: False)
    assert watched._tree() == {10: ["10", "12"], 11: ["11"]}
    assert watched._look_at_processes() is None
    watched = watching(monkeypatch)
    monkeypatch.setattr(watched, "_memory_exceeded", lambda tree: True)
    assert watched._look_at_processes() == "processes", "four are one too many"
    watched = watching(monkeypatch, without=5)
    monkeypatch.setattr(watched, "_memory_exceeded", lambda tree: True)
    assert watched._look_at_processes() == "memory"


@pytest.mark.parametrize(
    ("resident", "shared_once", "held", "exceeded"),
    [
        (350, 350, 300, False),
        (351, 350, 300, False),
        (351, 351, 300, True),
        (350, 500, 300, False),  # not asked for: it is slow
        (500, 500, 0, False),
        (501, 501, 0, True),
        (0, 0, 1001, False),
        (1, 1, 1001, True),
    ],
)
def test_memory_counts_with_what_is_held_and_what_is_shared_once(
    monkeypatch: pytest.MonkeyPatch, resident: int, shared_once: int, held: int, exceeded: bool
):
    watched = watching(monkeypatch, without=5)
    monkeypatch.setattr(watched, "_buffers", lambda tree: held)
    monkeypatch.setattr(watch, "_resident_bytes", lambda process, threads: resident)
    monkeypatch.setattr(watch, "_proportional_bytes", lambda process, threads: shared_once)
    expected = exceeded or held > 1000  # what is held is too much by itself
    assert watched._memory_exceeded(watched._tree()) is expected


@pytest.mark.parametrize(("without", "expected"), [(5, [7 + 30 + 2 * 65536] * 2), (None, [20 + 2 * 65536] * 2)])
def test_what_the_kernel_holds_is_counted_all_in_a_namespace_and_else_what_is_open(
    monkeypatch: pytest.MonkeyPatch, without: int | None, expected: list[int]
):
    asked: list[object] = []
    watched = watching(monkeypatch, without=without)
    monkeypatch.setattr(watch, "_used", lambda place: 7 if place == 4 else -(10**9))
    monkeypatch.setattr(buffers, "of_sockets", lambda netlink: {1: 10, 2: 20})
    monkeypatch.setattr(buffers, "held_by", lambda tree: asked.append(tree) or ({2, 99}, {7, 8}))
    monkeypatch.setattr(buffers, "PIPE_BYTES", 65536)
    clock = Clock(watched._next_buffers)
    monkeypatch.setattr(watch, "time", clock)
    seen = [watched._buffers({}), watched._buffers({})]
    assert seen == expected
    assert len(asked) == 1, "each descriptor is looked at four times a second, not twenty"
    clock.times = [clock.times[0] + 0.24]
    watched._buffers({})
    assert len(asked) == 1
    clock.times = [clock.times[0] + 0.02]
    watched._buffers({})
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("processes", "files", "said"),
    [
        (lambda: "memory", lambda: None, "memory"),
        (lambda: None, lambda: "disk", "disk"),
        (lambda: [][0], lambda: None, "abandoned"),
    ],
)
def test_the_first_limit_that_is_passed_is_told_and_a_look_that_fails_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, processes: Callable[[], Any], files: Callable[[], Any], said: str
):
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)
    stop, before = threading.Event(), set(threading.enumerate())
    monkeypatch.setattr(watch, "TICK_SECONDS", 0.001)
    watched = watching(monkeypatch)
    monkeypatch.setattr(watched, "_look_at_processes", lambda: processes() or ("over" if stop.is_set() else None))
    monkeypatch.setattr(watched, "_look_at_disk", lambda: files() or ("over" if stop.is_set() else None))
    assert watched.until_exceeded() == said
    stop.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(30)


def test_the_disk_is_asked_with_the_processes_of_the_run(monkeypatch: pytest.MonkeyPatch):
    watched = watching(monkeypatch)
    assert watched._look_at_disk() is None
    seen: list[object] = []
    monkeypatch.setattr(watched._disk, "exceeded", lambda tree: not seen.append(tree()))
    assert watched._look_at_disk() == "disk"
    assert seen == [watched._tree()]
