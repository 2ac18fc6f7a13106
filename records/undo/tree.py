"""A directory as undo sees it: every file, directory and link below it, and what each holds.

Folders that others make and can make again (environments, caches, installed packages) are watched like the rest as long
as they are small; what is not watched is named in `Gaps`, so that the person can be told.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.files.names import is_repository
from sandbox.files.root import IGNORED

CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | CAREFULLY
AVAILABLE = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
MOST_ENTRIES = 20_000  # in a directory; past it only what the tools themselves write is kept
LARGEST_FILE = 32 * 2**20  # bytes; a larger file is watched, and not kept
MOST_BYTES = 256 * 2**20  # in all files together
MOST_BYTES_MADE = 64 * 2**20  # in one folder of those that can be made again
LONGEST_PATH = 4096  # bytes; PATH_MAX of Linux: what lies deeper, no ordinary program reaches
NOT_KEPT = "not kept"


class TooLarge(Exception):
    """There are more entries than can be watched."""


@dataclass(frozen=True)
class Entry:
    """One name. `digest` is the SHA-256 of a file's bytes or the target of a link; it begins with NOT_KEPT where the
    bytes were too many, or could not be read. `owner` is user and group, put back where the system lets us."""

    kind: str  # "file", "directory" or "link"
    mode: int
    digest: str = ""
    owner: tuple[int, int] | None = field(default=None, compare=False)
    stamp: tuple[int, ...] = field(default=(), compare=False)  # equal stamps: not touched since

    @property
    def kept(self) -> bool:
        return not self.digest.startswith(NOT_KEPT)


Identity = tuple[int, int]  # device, file number
Tree = dict[str, Entry]
Gaps = set[str]  # folders whose contents are not watched
Keep = Callable[[bytes, str], None]  # bytes and their digest
_Seen = list[tuple[str, os.stat_result]]


def keep_nothing(data: bytes, digest: str) -> None:
    """For looking without keeping."""


def scan(top: int, known: Mapping[str, Entry], keep: Keep, gaps: Gaps) -> Tree:
    """Return every entry below `top`, a descriptor, but for the stores of repositories, which the sandbox guards.

    Files whose stamp is that of `known` are not read again; each file that is read is given to `keep`. A folder that
    turns out to be too large or too deep is added to `gaps`, and what is in `gaps` stays there. Raises TooLarge, or
    OSError when `top` cannot be read.
    """
    with Place(top) as place:
        place.go([])
        made: list[str] = []
        seen = _status_of_all(place, "", gaps, MOST_ENTRIES, made)
        for folder in made:
            try:
                inside = _status_of_all(place, folder, gaps, MOST_ENTRIES - len(seen))
            except TooLarge:
                gaps.add(folder)
                continue
            if sum(status.st_size for _, status in inside if stat.S_ISREG(status.st_mode)) > MOST_BYTES_MADE:
                gaps.add(folder)
            else:
                seen += inside
        return _entries(place, seen, known, keep)


def look(top: int, paths: Sequence[str], keep: Keep = keep_nothing, known: Mapping[str, Entry] = {}) -> Tree:  # noqa: B006
    """Return the entries of these paths alone, and of the directories they are in; what is not there is left out. Files
    whose stamp is that of `known` are not read again."""
    seen: _Seen = []
    with Place(top) as place:
        for path in sorted(with_folders(paths)):
            with contextlib.suppress(OSError, ValueError):
                *above, name = path.split("/")
                seen.append((path, os.stat(name, dir_fd=place.go(above), follow_symlinks=False)))
        return _entries(place, seen, known, keep)


def with_folders(paths: Sequence[str]) -> set[str]:
    """The paths, and every folder on the way to one."""
    found: set[str] = set()
    for path in paths:
        while path and path not in found:  # a tree of code's may be deep: no way is gone twice
            found.add(path)
            path = path.rpartition("/")[0]
    return found


def covered(path: str, gaps: Gaps) -> bool:
    """Whether a path is watched."""
    return not gaps or not any(path.startswith(f"{folder}/") or path == folder for folder in gaps)


def _status_of_all(place: Place, start: str, gaps: Gaps, most: int, made: list[str] | None = None) -> _Seen:
    """The status of each entry below a folder (and of the folder itself, but for the top). Folders that can be made
    again are named in `made`, where that is given, and not entered. Raises TooLarge past `most`."""
    seen: _Seen = []
    if start:
        *above, name = start.split("/")
        seen.append((start, os.stat(name, dir_fd=place.go(above), follow_symlinks=False)))
    waiting = [start]
    while waiting:
        folder = waiting.pop()
        below: list[str] = []
        for path, status in _status_in(place, folder):
            name = path.rpartition("/")[2]
            if path in gaps or is_repository(name):
                continue
            if stat.S_ISDIR(status.st_mode):
                if len(os.fsencode(path)) > LONGEST_PATH:
                    gaps.add(path)
                    continue
                if made is not None and name in IGNORED:
                    made.append(path)
                    continue
                below.append(path)
            seen.append((path, status))
            if len(seen) > most:
                raise TooLarge
        waiting.extend(reversed(below))
    return seen


def _status_in(place: Place, folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """Nothing for a folder that may not be read, or has gone."""
    with contextlib.suppress(PermissionError, FileNotFoundError, NotADirectoryError):
        here = place.go(folder.split("/") if folder else [])
        with os.scandir(here) as entries:
            names = sorted(entry.name for entry in entries)
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                status = os.stat(name, dir_fd=here, follow_symlinks=False)
                yield (f"{folder}/{name}" if folder else name), status


def _entries(place: Place, seen: _Seen, known: Mapping[str, Entry], keep: Keep) -> Tree:
    found: Tree = {}
    room = MOST_BYTES
    for path, status in seen:
        stamp = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        before = known.get(path)
        if stat.S_ISREG(status.st_mode) and before and before.kind == "file" and before.stamp == stamp:
            found[path] = before
        else:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # gone since
                found[path] = _entry(place, path, status, room, keep)
        room -= status.st_size if stat.S_ISREG(status.st_mode) else 0
    return found


def _entry(place: Place, path: str, status: os.stat_result, room: int, keep: Keep) -> Entry:
    mode, owner = stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid)
    if stat.S_ISDIR(status.st_mode):
        return Entry("directory", mode, owner=owner)
    *above, name = path.split("/")
    directory = place.go(above)
    if stat.S_ISLNK(status.st_mode):
        return Entry("link", 0, os.readlink(name, dir_fd=directory), owner)
    if not stat.S_ISREG(status.st_mode) or status.st_size > min(LARGEST_FILE, room):
        return file_entry(status, None)
    try:
        data = _bytes(directory, name)
    except OSError:
        return file_entry(status, None)
    entry = file_entry(status, data)
    keep(data, entry.digest)
    return entry


def file_entry(status: os.stat_result, data: bytes | None) -> Entry:
    """The entry of a file with these bytes, None where they are not known."""
    digest = f"{NOT_KEPT} {status.st_size} {status.st_mtime_ns}"
    if data is not None and len(data) <= LARGEST_FILE:
        digest = hashlib.sha256(data).hexdigest()
    stamp = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return Entry("file", stat.S_IMODE(status.st_mode), digest, (status.st_uid, status.st_gid), stamp)


def _bytes(directory: int, name: str) -> bytes:
    with open(os.open(name, os.O_RDONLY | CAREFULLY, dir_fd=directory), "rb") as file:  # noqa: PTH123 - a descriptor
        return file.read(LARGEST_FILE + 1)


def identity_of(descriptor: int) -> Identity:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


class Place:
    """A place below a directory that is held, moved from folder to folder by descriptor: however deep, two are open.

    Model code may have run here, so nothing is believed: no link is followed on the way down, and on the way up ".."
    must be the very directory that we came from, or the way is walked anew from the top. A context manager. `top` stays
    the caller's and open; what `go` returns is this place's own."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._here = os.open(".", DIRECTORY, dir_fd=top)
        self._way: list[tuple[str, Identity]] = []  # each name below the top, with the directory that holds it

    def __enter__(self) -> Place:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._here)

    def go(self, folder: Sequence[str]) -> int:
        """Return the descriptor of a folder, by the names that lead to it; good until the next `go`. Raises OSError."""
        try:
            while [name for name, _ in self._way] != list(folder[: len(self._way)]):
                self._up()
        except OSError:  # it was moved, or closed to us, since we went down
            self._move(os.open(".", DIRECTORY, dir_fd=self._top))
            self._way.clear()
        for name in folder[len(self._way) :]:
            above = identity_of(self._here)
            self._move(os.open(name, DIRECTORY, dir_fd=self._here))
            self._way.append((name, above))
        return self._here

    def _up(self) -> None:
        above = os.open("..", DIRECTORY, dir_fd=self._here)
        if identity_of(above) != self._way[-1][1]:
            os.close(above)
            raise FileNotFoundError
        self._move(above)
        self._way.pop()

    def _move(self, descriptor: int) -> None:
        os.close(self._here)
        self._here = descriptor
