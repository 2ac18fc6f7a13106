"""Directories held by descriptor, on Linux and macOS: one (`Directory`), and every one below it (`folders`).

A path that is checked and then opened can be swapped in between; a descriptor cannot. Each method of a Directory takes
ONE name in it and follows no link (open(2): O_NOFOLLOW). They raise OSError: ELOOP for a link, ENXIO for what is
neither a file nor a directory.

Code that a model wrote may have built a tree against programs that walk by path or by recursion: deeper than a path can
be long, without permissions, with a link in the way. So `folders` goes down by descriptor and up by "..", one open at a
time, follows no link, and opens for a moment what is the user's own and closed to him.
"""

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress

from sandbox.files.replace import CAREFULLY, Held, contents, must_be_regular, put

DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_CAREFULLY_IN = DIRECTORY | CAREFULLY
_ALL = 0o700  # what the owner needs to list, enter and change a directory
GIT_LEFT = 10.0  # seconds after which git's lock is one that a killed git left
_GIT_WAIT = 0.005

Identity = tuple[int, int]  # device, file number
Stamp = tuple[int, ...]  # equal stamps: the same file, and not touched since (the time of change cannot be forged)


class Directory:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: str) -> "Directory":
        """Open the directory at an absolute path that the person chose."""
        return cls(os.open(path, _CAREFULLY_IN))

    def again(self) -> "Directory":
        """The same directory with a life of its own: closing one leaves the other."""
        return Directory(os.dup(self._descriptor))

    def close(self) -> None:
        """Let go; a second time does nothing. The number is forgotten first: closed again after an interrupt, it might
        by then be the number of another thread's file."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def fileno(self) -> int:
        """The descriptor, which stays this directory's."""
        return self._descriptor

    def status(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    def status_of(self, name: str) -> os.stat_result:
        """The status of what has this name, which is not opened."""
        status = os.stat(name.encode(), dir_fd=self._descriptor, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return status

    def git_index(self) -> Stamp | None:
        """What tells git's index in this directory from any other, once no git is at work here; None where none is:
        no repository, one without a commit, or its store lies elsewhere.

        git looks whether a file is as it was, and replaces it later, in place of whatever is there by then: what we put
        there in between is lost after we said that it is there. So this is asked before a change and after it
        (gitrepository-layout(5))."""
        while (lock := self._in_git("index.lock")) and time.time() - lock.st_mtime < GIT_LEFT:
            time.sleep(_GIT_WAIT)
        index = self._in_git("index")
        return (index.st_ino, index.st_mtime_ns, index.st_size) if index else None

    def _in_git(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(f".git/{name}", dir_fd=self._descriptor, follow_symlinks=False)
        except OSError:
            return None

    def enter(self, name: str, *, create: bool = False) -> "Directory":
        """The directory of this name in this one, made first if asked for and missing."""
        try:
            return Directory(os.open(name.encode(), _CAREFULLY_IN, dir_fd=self._descriptor))
        except NotADirectoryError:
            self.status_of(name)  # Linux says ENOTDIR for a link too; this second look only picks the error
            raise
        except FileNotFoundError:
            if not create:
                raise
        with suppress(FileExistsError):
            os.mkdir(name.encode(), dir_fd=self._descriptor)
        return self.enter(name)

    def read(self, name: str, most: int) -> bytes | None:
        """The bytes of the regular file of this name; None when there are more than `most`."""
        descriptor = os.open(name.encode(), os.O_RDONLY | CAREFULLY, dir_fd=self._descriptor)
        try:
            must_be_regular(os.fstat(descriptor))
            return contents(descriptor, most)
        finally:
            os.close(descriptor)

    def scan(self) -> Iterator[tuple[str, os.stat_result | None]]:
        """Each name, in the system's order, with its own status (of a link, not of what it points to); None where the
        system does not tell it, as for a network disk that has gone."""
        # Opened anew: again() shares its position in the listing, and two threads would each get half of it.
        descriptor = os.open(".", _CAREFULLY_IN, dir_fd=self._descriptor)
        try:
            with os.scandir(descriptor) as entries:
                for entry in entries:
                    try:
                        status: os.stat_result | None = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    except OSError:
                        status = None
                    name = entry.name
                    yield name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace"), status
        finally:
            os.close(descriptor)

    def hold(self, name: str, most: int) -> Held:
        """What has this name now, held so that it can be replaced or removed if it still is that."""
        return Held(self._descriptor, name.encode(), most)

    def write(self, name: str, data: bytes, held: Held, model: Held | None = None) -> None:
        """Put a new file in place of what is held, with its mode and owner, and where that is nothing with those of the
        model: readers see the old bytes or the new, never a mixture, and a hard link elsewhere keeps what it had.
        OSError ESTALE when something else has this name by now."""
        if held.status:
            self._may_be_written(name)
        like = held if held.status else model
        old = like.status if like else None

        def fill(descriptor: int) -> None:
            if like and old:
                _take_after(descriptor, like, old)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)

        put(self._descriptor, name.encode(), fill, 0o600 if old else 0o666, held)

    def remove_folder(self, name: str) -> None:
        """Delete the empty directory of this name."""
        self.status_of(name)
        os.rmdir(name.encode(), dir_fd=self._descriptor)

    def _may_be_written(self, name: str) -> None:
        """A rename would also replace a file that was made read-only: opening it for writing, untruncated, asks the
        system for every reason not to. That somebody else is putting a file in its place (replace.py) is none."""
        with suppress(FileNotFoundError, BlockingIOError):
            os.close(os.open(name.encode(), os.O_WRONLY | CAREFULLY, dir_fd=self._descriptor))


def _take_after(descriptor: int, held: Held, old: os.stat_result) -> None:
    # Where the file system has no owners or modes (FAT), or the owner is another, there is nothing to keep.
    with suppress(OSError):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    # What a mode lets a group do is that group's alone, and not for another that the new file may have instead.
    group = held.attributes_to(descriptor) and os.fstat(descriptor).st_gid == old.st_gid
    # Without setuid and setgid: new bytes do not inherit the trust that the old ones had.
    with suppress(OSError):
        os.fchmod(descriptor, old.st_mode & (0o777 if group else 0o707))


def identity_of(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino


def stamp_of(status: os.stat_result) -> Stamp:
    return *identity_of(status), status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def folders(top: int) -> Iterator[tuple[list[str], int, list[os.DirEntry[str]]]]:
    """For the directory `top` and each below it: the names that lead to it, its descriptor, and what is in it.

    A directory comes before those in it. What the caller takes out of the list is not entered. All three are good until
    the next step; `top` stays the caller's. What may not be entered is left out. Raises OSError when a directory was
    moved away while it was looked through: what comes after it is then not seen.
    """
    here, names = os.open(".", DIRECTORY, dir_fd=top), list[str]()
    way = [_Level(here)]
    try:
        while True:
            entries = _entries(here)
            yield names, here, entries
            way[-1].waiting = [entry.name for entry in entries if _is_directory(entry)]
            while (below := way[-1].next(here)) is None:
                if not names:
                    return
                here = _up(here, way)
                names.pop()
            os.close(here)
            here = below
            names.append(way[-1].entered)
            way.append(_Level(here))
    finally:
        with suppress(OSError):
            while any(level.mode is not None for level in way[:-1]):
                here = _up(here, way)
        way[-1].leave(here)


class _Level:
    """A directory on the way down: which it is, the mode that it had where that was changed, and what waits in it."""

    def __init__(self, here: int) -> None:
        status = os.fstat(here)
        self.identity, self.waiting, self.entered = identity_of(status), list[str](), ""
        self.mode: int | None = None
        if status.st_mode & _ALL != _ALL and status.st_uid == os.geteuid():
            with suppress(OSError):
                os.fchmod(here, stat.S_IMODE(status.st_mode) | _ALL)
                self.mode = stat.S_IMODE(status.st_mode)

    def next(self, here: int) -> int | None:
        """The next directory that waits in here and can be `entered`, None when there is none."""
        while self.waiting:
            self.entered = self.waiting.pop()
            with suppress(OSError):
                return enter(self.entered, here)
        return None

    def leave(self, here: int) -> None:
        if self.mode is not None:
            with suppress(OSError):
                os.fchmod(here, self.mode)
        os.close(here)


def _up(here: int, way: list[_Level]) -> int:
    above = os.open("..", DIRECTORY, dir_fd=here)
    if identity_of(os.fstat(above)) != way[-2].identity:
        os.close(above)
        raise OSError(errno.ESTALE, "a directory was moved while it was looked through")
    way.pop().leave(here)
    return above


def enter(name: str, parent: int) -> int:
    """A descriptor of a directory, opened up first where its owner (us) has closed it. Raises OSError."""
    try:
        return os.open(name, DIRECTORY, dir_fd=parent)
    except PermissionError:
        closed = os.open(name, DIRECTORY | getattr(os, "O_PATH", 0), dir_fd=parent)
        try:
            mode = stat.S_IMODE(os.fstat(closed).st_mode)
            os.chmod(f"/proc/self/fd/{closed}", mode | _ALL)
            try:
                return os.open(name, DIRECTORY, dir_fd=parent)
            finally:
                os.chmod(f"/proc/self/fd/{closed}", mode)
        finally:
            os.close(closed)


def _entries(here: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(here) as found:
            return list(found)
    except OSError:
        return []


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
