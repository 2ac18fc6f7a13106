"""A repository that was there stays as it was: what is remembered of it before a run, and put back after.

Only for systems where it cannot be mounted read-only. Settings, hooks and references are small and are remembered
whole; of the objects as much as fits. What is lost and does not fit is told, because it cannot be put back.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sandbox.files.directory import DIRECTORY, Identity, Stamp, enter, folders, identity_of, stamp_of
from sandbox.files.replace import CAREFULLY, in_place_of, put
from sandbox.running.links import Links

_MOST_BYTES = 32 * 2**20  # of one repository, for its objects and for all else
_OBJECTS = frozenset({"objects", "lfs", "annex", "store", "pristine"})  # where version control keeps content

Parts = tuple[str, ...]
_remembered: dict[Stamp, bytes] = {}  # from the look before, so that an unchanged file is not read for each run


@dataclass
class File:
    stamp: Stamp
    data: bytes | None = None  # or the target of a link; None: too large to remember

    @property
    def mode(self) -> int:
        return self.stamp[2]


@dataclass
class Repository:
    """`where`: the names that lead to it. `files`, `inner`: files and directories below; () is itself."""

    where: Parts
    identity: Identity
    files: dict[Parts, File] = field(default_factory=dict)
    inner: set[Parts] = field(default_factory=set)


def remember(where: Parts, here: int, name: str, status: os.stat_result, links: Links | None = None) -> Repository:
    """What is in the repository of this name in the directory `here`; "." is the directory itself. `links`: who gives
    a file that has another name elsewhere (a project copied by `cp -al`) a content of its own."""
    repository = Repository(where, identity_of(status))
    room = {True: _MOST_BYTES, False: _MOST_BYTES}
    for parts, folder, inner, found in _files(here, name, status):
        if inner is None:
            repository.inner.add(parts)
            continue
        if links and stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            found = links.part(folder, inner, found)
            if not parts:
                repository.identity = identity_of(found)
        is_object = bool(parts) and not _OBJECTS.isdisjoint(parts)
        stamp, fits = stamp_of(found), found.st_size <= room[is_object]
        room[is_object] -= found.st_size if fits else 0  # a large index keeps no reference from being remembered
        repository.files[parts] = File(stamp, _read(folder, inner, found, stamp) if fits else None)
    return repository


def begin_again(repositories: Sequence[Repository]) -> None:
    """Keep the bytes of these for the next look, and of no others."""
    files = [file for repository in repositories for file in repository.files.values() if file.data is not None]
    _remembered.clear()
    _remembered.update((file.stamp, file.data or b"") for file in files)


def changes(repository: Repository, now: Repository) -> tuple[list[Parts], list[Parts]]:
    """What differs: files that were there and are gone or others, and files that are new."""
    lost = [parts for parts, file in repository.files.items() if _stamp(now, parts) != file.stamp]
    return sorted(lost), sorted(parts for parts in now.files if parts not in repository.files)


def stands_in(repository: Repository, now: Repository, lost: Sequence[Parts]) -> set[Parts]:
    """What is new and may hold content that is lost and cannot be put back: somebody's git has packed it anew, while
    the code ran. Nothing in it runs; a list that leads to another store (`objects/info`) is none of it."""
    if not any(repository.files[parts].data is None and not _OBJECTS.isdisjoint(parts) for parts in lost):
        return set()
    return {
        parts
        for parts, file in now.files.items()
        if not _OBJECTS.isdisjoint(parts[:-1]) and "info" not in parts and stat.S_ISREG(file.mode)
    }


def put_back(top: int, repository: Repository, where: Parts, lost: Sequence[Parts]) -> list[Parts]:
    """Write again what was lost of a repository that is at `where` now. What could not be put back."""
    failed = []
    with suppress(OSError):
        for parts in sorted(repository.inner):
            os.close(make_way(top, where + parts))
    for parts in lost:
        file = repository.files[parts]
        if file.data is None:
            failed.append(parts)
            continue
        try:
            folder = make_way(top, (where + parts)[:-1])
            try:
                _write(folder, (where + parts)[-1], file)
            finally:
                os.close(folder)
        except OSError:
            failed.append(parts)
    return failed


def bring_back(top: int, now: Parts, was: Parts) -> None:
    """Give a repository its old name again, in its old place, which must be free. Raises OSError."""
    source, target = make_way(top, now[:-1]), make_way(top, was[:-1])
    try:
        os.rename(now[-1], was[-1], src_dir_fd=source, dst_dir_fd=target)
    finally:
        os.close(source)
        os.close(target)


def _stamp(repository: Repository, parts: Parts) -> Stamp | None:
    found = repository.files.get(parts)
    return found.stamp if found else None


def _files(here: int, name: str, status: os.stat_result) -> Iterator[tuple[Parts, int, str | None, os.stat_result]]:
    """For each file below its parts, its directory, its name and its status; for a directory no name."""
    if not stat.S_ISDIR(status.st_mode):
        yield (), here, name, status
        return
    top = enter(name, here)
    try:
        for parts, folder, entries in folders(top):
            yield tuple(parts), folder, None, status
            for entry in entries:
                with suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    if not stat.S_ISDIR(found.st_mode):
                        yield (*parts, entry.name), folder, entry.name, found
    finally:
        os.close(top)


def _read(folder: int, name: str, status: os.stat_result, stamp: Stamp) -> bytes | None:
    if stamp in _remembered:
        return _remembered[stamp]
    with suppress(OSError):
        if stat.S_ISLNK(status.st_mode):
            return os.fsencode(os.readlink(name, dir_fd=folder))
        if stat.S_ISREG(status.st_mode):
            descriptor = os.open(name, os.O_RDONLY | CAREFULLY, dir_fd=folder)
            with open(descriptor, "rb") as file:
                return file.read()
    return None


def make_way(top: int, parts: Parts) -> int:
    """A descriptor of the directory that these names lead to, made where it is missing."""
    here = os.open(".", DIRECTORY, dir_fd=top)
    for name in parts:
        try:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=here)
            below = enter(name, here)
        finally:
            os.close(here)
        here = below
    return here


def _write(folder: int, name: str, file: File) -> None:
    try:
        _put(folder, name, file)
    except IsADirectoryError:
        os.rename(name, f"{name}.aside-{os.urandom(4).hex()}", src_dir_fd=folder, dst_dir_fd=folder)
        _put(folder, name, file)


def _put(folder: int, name: str, file: File) -> None:
    assert file.data is not None  # what was not remembered is not put back
    data = file.data
    if stat.S_ISLNK(file.mode):
        with in_place_of(folder, name) as temporary:
            os.symlink(os.fsdecode(data), temporary, dir_fd=folder)
        return

    def fill(target: int) -> None:
        with open(target, "wb", closefd=False) as stream:
            stream.write(data)
        os.fchmod(target, stat.S_IMODE(file.mode))

    put(folder, name, fill)
