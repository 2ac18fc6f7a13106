"""How much of the disk a run has taken: what it made and changed in its directories, and what has no name any more."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sandbox.files.directory import folders

FACTOR = 4  # what one run may add to the disk in all, in files of the largest size
_NAME_BYTES = 1024  # what a name costs beside its blocks: its inode, and its line in the directory
_LOOK_UP = 500  # directories
_DELETED = " (deleted)\n"


@dataclass(frozen=True)
class Begun:
    """A run as it begins: descriptors of the directories that it writes to, the moment (time.time_ns), and how much was
    free there."""

    places: list[int]
    at: int
    free: list[int]

    @classmethod
    def now(cls, places: list[int]) -> "Begun":
        return cls(places, time.time_ns(), [_free_bytes(place) for place in places])


class Disk:
    """Asked again and again while a run lasts."""

    def __init__(self, file_bytes: int, run: Begun) -> None:
        self._most, self.places, self._started_at, self._free = FACTOR * file_bytes, run.places, run.at, run.free
        self._next_walk = time.monotonic() + 1

    def exceeded(self, tree: Callable[[], Mapping[int, Sequence[str]]]) -> bool:
        """Looks at the files once a second, and sooner when the free space has shrunk. `tree` gives the processes of
        the run with their threads."""
        now, shrunk = time.monotonic(), self._shrunk_by()
        if shrunk < self._most // 2 and now < self._next_walk:
            return False
        try:
            total = self._bytes_with_a_name()
        except OSError:  # directories are moved about while we look: then the free space must do
            total = shrunk
        total += _bytes_without_a_name(tree())
        self._next_walk = now + 1 + 20 * (time.monotonic() - now)
        return total > self._most

    def _bytes_with_a_name(self) -> int:
        """What was made or changed since the run began costs (the time of change cannot be forged; inode(7)), counted
        until it is too much. Begun again when much was added meanwhile: a long walk would be overtaken."""
        while (total := self._count(self._shrunk_by() + self._most // 8)) is None:
            pass
        return total

    def _count(self, until_shrunk_by: int) -> int | None:
        total = 0
        for place in self.places:
            for number, (_, _, entries) in enumerate(folders(place), 1):
                total += sum(map(self._cost, entries))
                if total > self._most:
                    return total
                if number % _LOOK_UP == 0 and self._shrunk_by() > until_shrunk_by:
                    return None
        return total

    def _cost(self, entry: os.DirEntry[str]) -> int:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return 0
        return status.st_blocks * 512 + _NAME_BYTES if status.st_ctime_ns >= self._started_at else 0

    def _shrunk_by(self) -> int:
        return max(before - _free_bytes(place) for before, place in zip(self._free, self.places, strict=True))


def _free_bytes(place: int) -> int:
    try:
        status = os.statvfs(place)
    except OSError:
        return 0
    return status.f_bfree * status.f_frsize


def _bytes_without_a_name(tree: Mapping[int, Sequence[str]]) -> int:
    """Files that still fill the disk because somebody holds them open, or has them in memory. Each thread is asked, as
    each can have descriptors of its own."""
    open_files: dict[tuple[int, int], int] = {}
    mapped: dict[str, int] = {}
    for process, threads in tree.items():
        for thread in threads:
            place = f"/proc/{process}/task/{thread}"
            with suppress(OSError):
                for name in os.listdir(f"{place}/fd"):
                    status = os.stat(f"{place}/fd/{name}")
                    if status.st_nlink == 0:
                        open_files[status.st_dev, status.st_ino] = status.st_blocks * 512
        for thread in threads[-1:]:
            with suppress(OSError):
                mapped |= _mapped_without_a_name(f"/proc/{process}/task/{thread}/maps")
    held = {f"{os.major(device):02x}:{os.minor(device):02x} {number}" for device, number in open_files}
    return sum(open_files.values()) + sum(size for file, size in mapped.items() if file not in held)


def _mapped_without_a_name(maps: str) -> dict[str, int]:
    """Device and number of each deleted file that is mapped, with the bytes that are (its blocks cannot be asked)."""
    found: dict[str, int] = {}
    with open(maps, errors="replace") as file:
        for line in file:
            if line.endswith(_DELETED) and "/dev/zero" not in line:
                span, _, _, device, number, _ = line.split(maxsplit=5)
                start, end = (int(part, 16) for part in span.split("-"))
                found[f"{device} {number}"] = found.get(f"{device} {number}", 0) + end - start
    return found
