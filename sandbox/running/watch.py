"""Looking at a whole tree of processes from outside: how many, how much memory, how much disk.

The kernel's own limits are for one process each, and some never hold for root (getrlimit(2), RLIMIT_NPROC), so the sums
are taken every 50 milliseconds from /proc, proc_pid_task(5), proc_pid_statm(5), proc_pid_smaps(5).
"""

import os
import time
from collections.abc import Iterator
from typing import Any

TICK_SECONDS = 0.05
DISK_FACTOR = 4  # what one run may add to the disk in all, in files of the largest size
_PAGE = os.sysconf("SC_PAGE_SIZE")


def children(process: int) -> list[int]:
    found: list[int] = []
    for thread in threads(process):
        try:
            with open(f"/proc/{process}/task/{thread}/children") as file:
                found += [int(number) for number in file.read().split()]
        except OSError:
            continue
    return found


def descendants(process: int) -> list[int]:
    """Every process below this one. Complete when this one is a subreaper or the parent of a first process."""
    found: list[int] = []
    queue = [process]
    while queue:
        new = children(queue.pop())
        found += new
        queue += new
    return found


def threads(process: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{process}/task")
    except OSError:
        return []


class Watch:
    """The limits of one run, looked at on every tick. `without` is the process that only reaps, which is ours."""

    def __init__(self, limits: dict[str, Any], places: list[str], without: int | None) -> None:
        self._limits, self._places, self._without = limits, places, without
        self._started_at = time.time_ns()
        self._free = [_free_bytes(place) for place in places]
        self._next_disk_walk = time.monotonic() + 1

    def exceeded(self) -> str | None:
        """ "processes", "memory", "disk", or None."""
        tree = [process for process in descendants(os.getpid()) if process != self._without]
        if sum(len(threads(process)) for process in tree) > self._limits["processes"]:
            return "processes"
        if self._memory_exceeded(tree):
            return "memory"
        return "disk" if self._disk_exceeded(tree) else None

    def _memory_exceeded(self, tree: list[int]) -> bool:
        limit = self._limits["memory_bytes"]
        if sum(map(_resident_bytes, tree)) <= limit:
            return False
        return sum(map(_proportional_bytes, tree)) > limit  # slower, but counts what is shared once

    def _disk_exceeded(self, tree: list[int]) -> bool:
        """The free space is asked on every tick; only when it shrank (or once a second) are the files looked at."""
        limit = DISK_FACTOR * self._limits["file_bytes"]
        shrunk = any(
            before - _free_bytes(place) > limit for before, place in zip(self._free, self._places, strict=True)
        )
        now = time.monotonic()
        if not shrunk and now < self._next_disk_walk:
            return False
        total = sum(_bytes_changed_since(self._started_at, place) for place in self._places) + _unlinked_bytes(tree)
        self._next_disk_walk = now + 1 + 20 * (time.monotonic() - now)
        return total > limit


def _resident_bytes(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional_bytes(process: int) -> int:
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except OSError:
        return _resident_bytes(process)


def _free_bytes(place: str) -> int:
    try:
        status = os.statvfs(place)
    except OSError:
        return 0
    return status.f_bfree * status.f_frsize


def _bytes_changed_since(moment: int, place: str) -> int:
    """Disk used below by files that were made or changed since (the time of change cannot be forged; inode(7))."""
    return sum(status.st_blocks * 512 for status in _files_below(place) if status.st_ctime_ns >= moment)


def _files_below(place: str) -> Iterator[os.stat_result]:
    queue = [place]
    while queue:
        try:
            with os.scandir(queue.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        queue.append(entry.path)
                    else:
                        yield entry.stat(follow_symlinks=False)
        except OSError:
            continue


def _unlinked_bytes(tree: list[int]) -> int:
    """Files that have no name any more and still fill the disk, because someone holds them open."""
    found: dict[tuple[int, int], int] = {}
    for process in tree:
        try:
            for name in os.listdir(f"/proc/{process}/fd"):
                status = os.stat(f"/proc/{process}/fd/{name}")
                if status.st_nlink == 0:
                    found[status.st_dev, status.st_ino] = status.st_blocks * 512
        except OSError:
            continue
    return sum(found.values())
