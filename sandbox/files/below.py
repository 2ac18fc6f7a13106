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
    way = _Way(os.open(".", DIRECTORY, dir_fd=top))
    try:
        while True:
            entries = way.entries()
            yield way.names, way.here, entries
            way.waiting.append([entry.name for entry in entries if _is_directory(entry)])
            while not way.down():
                if not way.names:
                    return
                way.up()
    finally:
        way.close()


class _Way:
    """Where the walk is: one descriptor, and for each level above it what is needed to come back."""

    def __init__(self, here: int) -> None:
        self.here, self.names, self.waiting = here, [], []
        self._above: list[Identity] = []
        self._closed: list[int | None] = [_open_up(here)]  # the mode that a directory had, where it was changed

    def entries(self) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self.here) as found:
                return list(found)
        except OSError:
            return []

    def down(self) -> bool:
        """Into the next directory that waits here. False when there is none."""
        while self.waiting[-1]:
            name = self.waiting[-1].pop()
            with suppress(OSError):
                below = enter(name, self.here)
                self._above.append(identity_of(os.fstat(self.here)))
                os.close(self.here)
                self.here = below
                self.names.append(name)
                self._closed.append(_open_up(below))
                return True
        return False

    def up(self) -> None:
        above = os.open("..", DIRECTORY, dir_fd=self.here)
        if identity_of(os.fstat(above)) != self._above.pop():
            os.close(above)
            raise OSError(errno.ESTALE, "a directory was moved while it was looked through")
        self._close_again()
        os.close(self.here)
        self.here = above
        self.names.pop()
        self.waiting.pop()

    def close(self) -> None:
        with suppress(OSError):
            while any(mode is not None for mode in self._closed[:-1]):
                self.up()
        if self._closed:
            self._close_again()
        os.close(self.here)

    def _close_again(self) -> None:
        if (mode := self._closed.pop()) is not None:
            with suppress(OSError):
                os.fchmod(self.here, mode)


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


def _open_up(directory: int) -> int | None:
    """Give its owner every right on an open directory. The mode that it had, None when nothing was changed."""
    status = os.fstat(directory)
    if status.st_mode & _ALL == _ALL or status.st_uid != os.geteuid():
        return None
    with suppress(OSError):
        os.fchmod(directory, stat.S_IMODE(status.st_mode) | _ALL)
        return stat.S_IMODE(status.st_mode)
    return None


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
