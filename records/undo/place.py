"""A place below a directory that is held, moved from folder to folder by descriptor: however deep, two are open.

Model code may have run here, so nothing is believed: no link is followed on the way down, and on the way up ".." must
be the very directory that we came from (by device and number), or the way is walked anew from the top.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | CAREFULLY

Identity = tuple[int, int]  # device, file number


def identity_of(descriptor: int) -> Identity:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


class Place:
    """A context manager. `top` stays the caller's and open; what `go` returns is this place's own."""

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
