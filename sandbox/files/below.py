"""Every directory below one that is held, however deep, wide or closed: by descriptor, one open at a time.

Code that a model wrote may have built the tree against programs that walk by path or by recursion: deeper than a path
can be long, without permissions, with a link in the way. So this goes down by descriptor and up by "..", follows no
link, and opens for a moment what is the user's own and closed to him.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress

DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_ALL = 0o700  # what the owner needs to list, enter and change a directory

Identity = tuple[int, int]  # device, file number
Stamp = tuple[int, ...]  # equal stamps: the same file, and not touched since (the time of change cannot be forged)


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
