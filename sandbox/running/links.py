"""Files that have another name somewhere else: what code writes into one is written there too.

Package managers link an environment into a cache that all projects share (uv and pnpm do), and `cp -al` copies a
project so. Where mounts can be made read-only, such files are. Elsewhere each gets a copy of its own before code runs,
as far as they are not too large; what is too large is told.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from sandbox.files.directory import DIRECTORY, Identity, identity_of
from sandbox.files.replace import CAREFULLY, put

MOST_MOUNTS = 2_000  # files that are made read-only one by one
MOST_COPIED = 256 * 2**20  # bytes in all
_CHUNK = 2**20


class Links:
    """Collects the files with several names, as a walk meets them. `mounts`: whether they can be mounted read-only."""

    def __init__(self, mounts: bool) -> None:
        self.left = 0  # files that still lead outside
        self._mounts, self._room = mounts, MOST_COPIED
        self._found: dict[Identity, list[tuple[str, ...]]] = {}
        self._names: dict[Identity, int] = {}
        self._sizes: dict[Identity, int] = {}

    def add(self, path: tuple[str, ...], status: os.stat_result) -> None:
        identity = identity_of(status)
        self._found.setdefault(identity, []).append(path)
        self._names[identity], self._sizes[identity] = status.st_nlink, status.st_size

    def outside(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """Path and size of each file that has more names than were met."""
        for identity, paths in self._found.items():
            if self._names[identity] > len(paths):
                yield from ((path, self._sizes[identity]) for path in paths)

    def separate(self, top: int) -> Iterator[os.stat_result]:
        """Give each a content of its own, up to MOST_COPIED bytes. What is there then."""
        for path, size in self.outside():
            if status := self._copied(size, partial(_separate, top, path)):
                yield status

    def part(self, folder: int, name: str, status: os.stat_result) -> os.stat_result:
        """The same for one file of a repository. What nobody may write to may stay: code cannot change modes here."""
        if not self._mounts and status.st_mode & 0o222:
            return self._copied(status.st_size, lambda: _copy_in_place(folder, name)) or status
        return status

    def _copied(self, size: int, copy: Callable[[], os.stat_result]) -> os.stat_result | None:
        self._room -= size
        if self._room >= 0:
            with suppress(OSError):
                return copy()
        self.left += 1
        return None


def _separate(top: int, path: Sequence[str]) -> os.stat_result:
    """Put a copy with the same mode, owner and times in place of a file, in one step."""
    folder = os.open(".", DIRECTORY, dir_fd=top)
    try:
        for name in path[:-1]:
            below = os.open(name, DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = below
        return _copy_in_place(folder, path[-1])
    finally:
        os.close(folder)


def _copy_in_place(folder: int, name: str) -> os.stat_result:
    source = os.open(name, os.O_RDONLY | CAREFULLY, dir_fd=folder)
    try:
        put(folder, name, lambda target: _copy(source, target))
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    finally:
        os.close(source)


def _copy(source: int, target: int) -> None:
    status = os.fstat(source)
    os.lseek(source, 0, os.SEEK_SET)
    while data := memoryview(os.read(source, _CHUNK)):
        while data:
            data = data[os.write(target, data) :]
    with suppress(OSError):
        os.fchown(target, status.st_uid, status.st_gid)
    os.fchmod(target, stat.S_IMODE(status.st_mode) & 0o777)
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
