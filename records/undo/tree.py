"""A directory as undo sees it: every file, directory and link below it, what each holds, and where two texts differ.

Folders that others make and can make again (environments, caches, installed packages) are watched like the rest as long
as they are small; what is not watched is named in `Gaps`, so that the person can be told.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sandbox.files.directory import DIRECTORY, stamp_of
from sandbox.files.off_limits import is_repository
from sandbox.files.replace import Held
from sandbox.files.root import IGNORED

AVAILABLE = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
MOST_ENTRIES = 20_000  # in a directory; past it only what the tools themselves write is kept
LARGEST_FILE = 32 * 2**20  # bytes; a larger file is watched, and not kept
MOST_BYTES = 256 * 2**20  # in all files together
MOST_BYTES_MADE = 64 * 2**20  # in one folder of those that can be made again
LONGEST_PATH = 4096  # bytes; PATH_MAX of Linux: what lies deeper, no ordinary program reaches
NOT_KEPT = "not kept"
lines_of = re.compile(rb"[^\n]*\n|[^\n]+").findall  # split at line feeds alone, as git does
_FAULTS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO)  # say nothing about whether a file is there


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
Known = Mapping[str, Entry | None]
Keep = Callable[[bytes, str], None]  # bytes and their digest


def scan(top: int, known: Known, keep: Keep | None, gaps: Gaps) -> Tree:
    """Return every entry below `top`, a descriptor, but for the stores of repositories, which the sandbox guards.

    Files whose stamp is that of `known` are not read again; each file that is read is given to `keep`. A folder that
    turns out to be too large or too deep is added to `gaps`, and what is in `gaps` stays there. Raises TooLarge, or
    OSError when `top` cannot be read.
    """
    with Place(top) as place:
        paths, made = _below(place, "", MOST_ENTRIES, gaps)
        for folder in made:
            try:
                paths += _below(place, folder, MOST_ENTRIES - len(paths), gaps)[0]
            except TooLarge:
                gaps.add(folder)
        return _entries(place, paths, keep, known)


def look(top: int, paths: Iterable[str], keep: Keep | None = None, known: Known | None = None) -> Tree:
    """Return the entries of these paths alone, and of the directories they are in; what is not there is left out. Files
    whose stamp is that of `known` are not read again."""
    with Place(top) as place:
        return _entries(place, sorted(with_folders(paths)), keep, known or {})


def with_folders(paths: Iterable[str]) -> set[str]:
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


def _below(place: Place, start: str, most: int, gaps: Gaps) -> tuple[list[str], list[str]]:
    """Each path below a folder (and its own, but for the top), and the folders that can be made again: from the top
    these are named and not entered. Raises TooLarge past `most` paths, or when such a folder holds too many bytes."""
    found, made, size, waiting = [start] if start else [], list[str](), 0, [start]
    while waiting:
        folder = waiting.pop()
        folders: list[str] = []
        for entry in _listed(place, folder):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if path in gaps or is_repository(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                if len(os.fsencode(path)) > LONGEST_PATH:
                    gaps.add(path)
                    continue
                if not start and entry.name in IGNORED:
                    made.append(path)
                    continue
                folders.append(path)
            elif start:
                with suppress(FileNotFoundError):
                    size += entry.stat(follow_symlinks=False).st_size
            found.append(path)
            if len(found) > most or size > MOST_BYTES_MADE:
                raise TooLarge
        waiting.extend(reversed(folders))
    return found, made


def _listed(place: Place, folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing where it may not be read, or has gone."""
    with (
        suppress(PermissionError, FileNotFoundError, NotADirectoryError),
        os.scandir(place.go(folder.split("/") if folder else [])) as entries,
    ):
        return sorted(entries, key=lambda entry: entry.name)
    return []


def _entries(place: Place, paths: Iterable[str], keep: Keep | None, known: Known) -> Tree:
    found: Tree = {}
    room = MOST_BYTES
    for path in paths:
        *above, name = path.split("/")
        try:
            directory = place.go(above)
            status = os.stat(name, dir_fd=directory, follow_symlinks=False)
            entry, data = known.get(path), None
            if entry is None or entry.stamp != stamp_of(status):
                entry, data = _entry(directory, name, status, min(LARGEST_FILE, room))
        except (OSError, ValueError) as error:  # it has gone since, or is no name that a file can have
            if getattr(error, "errno", None) in _FAULTS:
                raise
            continue
        found[path] = entry
        if keep and data is not None:
            keep(data, entry.digest)
        room -= status.st_size if entry.kind == "file" else 0
    return found


def _entry(directory: int, name: str, status: os.stat_result, most: int) -> tuple[Entry, bytes | None]:
    """What is called so in an open directory, with the bytes of a file that holds no more than `most`."""
    mode, more = stat.S_IMODE(status.st_mode), ((status.st_uid, status.st_gid), stamp_of(status))
    if stat.S_ISDIR(status.st_mode):
        return Entry("directory", mode, "", *more), None
    if stat.S_ISLNK(status.st_mode):
        return Entry("link", 0, os.readlink(name, dir_fd=directory), *more), None
    if not stat.S_ISREG(status.st_mode):
        return file_entry(status, None), None
    with Held(directory, name, most) as held:
        return file_entry(held.status or status, held.data), held.data


def file_entry(status: os.stat_result, data: bytes | None) -> Entry:
    """The entry of a file with these bytes, None where they are not known."""
    digest = f"{NOT_KEPT} {status.st_size} {status.st_mtime_ns}"
    if data is not None and len(data) <= LARGEST_FILE:
        digest = hashlib.sha256(data).hexdigest()
    return Entry("file", stat.S_IMODE(status.st_mode), digest, (status.st_uid, status.st_gid), stamp_of(status))


def identity_of(descriptor: int) -> Identity:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def content_of(entry: Entry | None, bytes_of: Callable[[str], bytes]) -> bytes:
    """The bytes of a file, the target of a link; of anything else, and of what was not kept, none."""
    if entry is None or not entry.kept or entry.kind == "directory":
        return b""
    return entry.digest.encode("utf-8", "surrogateescape") if entry.kind == "link" else bytes_of(entry.digest)


def changed_part(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int, int]:
    """Of two texts in lines: which is the first that is not the same, and where in each the equal end begins."""
    start, old_end, new_end = 0, len(old), len(new)
    while start < min(old_end, new_end) and old[start] == new[start]:
        start += 1
    while start < min(old_end, new_end) and old[old_end - 1] == new[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
    return start, old_end, new_end


class Place:
    """A place below a directory that is held, moved from folder to folder by descriptor: however deep, two are open.

    Model code may have run here, so nothing is believed: no link is followed on the way down, and on the way up ".."
    must be the very directory that we came from, or the way is walked anew from the top. A context manager. `top` stays
    the caller's and open; what `go` returns is this place's own."""

    def __init__(self, top: int) -> None:
        self._top, self._here = top, os.open(".", DIRECTORY, dir_fd=top)
        self._names, self._above = list[str](), list[Identity]()  # each name below the top, and what holds it

    def __enter__(self) -> Place:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._here)

    def go(self, folder: list[str]) -> int:
        """Return the descriptor of a folder, by the names that lead to it; good until the next `go`. Raises OSError."""
        try:
            while self._names != folder[: len(self._names)]:
                self._enter(self._here, "..", self._above[-1])
                self._names.pop(), self._above.pop()
        except OSError:  # it was moved, or closed to us, since we went down
            self._enter(self._top, ".")
            self._names, self._above = [], []
        for name in folder[len(self._names) :]:
            above = identity_of(self._here)
            self._enter(self._here, name)
            self._names.append(name)
            self._above.append(above)
        return self._here

    def _enter(self, directory: int, name: str, expected: Identity | None = None) -> None:
        entered = os.open(name, DIRECTORY, dir_fd=directory)
        if expected not in (None, identity_of(entered)):
            os.close(entered)
            raise FileNotFoundError
        os.close(self._here)
        self._here = entered
