"""The directories that no agent is given to work in, because too much hangs on what is in them."""

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from sandbox.files.names import is_repository

_PROGRAM = Path(__file__).parents[2]
_PACKAGES = ("agent", "cli", "doors", "functions", "index", "jobs", "live", "offline", "providers", "reach", "records")
_LIBRARY = Path(os.__file__).parent

Identity = tuple[int, int]


def off_limits(path: Path, status: os.stat_result) -> str | None:
    """Why a directory may not be worked in, as the end of a sentence ("it contains ..."); None when it may.

    `path` is absolute and free of links, `status` that of the open directory. Directories are compared by identity and
    not by spelling, since a bind mount, or a file system that ignores case, gives one directory several spellings.
    """
    if path.parent == path:
        return "is the whole disk"
    if any(map(is_repository, path.parts[1:])):
        return "is the store of a repository"
    here, above = (status.st_dev, status.st_ino), set(_identities([path, *path.parents]))
    own = [Path(sys.prefix)] if sys.prefix != sys.base_prefix else []  # a virtual environment
    # What must not be anywhere below a working directory, and what must not be above one either.
    for what, below, inside in (
        ("your home directory", _home(), []),
        ("this program's source", [_PROGRAM], [_PROGRAM / package for package in (*_PACKAGES, "sandbox")]),
        ("the Python installation", [Path(sys.base_prefix), Path(sys.prefix), _LIBRARY], [_LIBRARY, *own]),
    ):
        if any(here in _line(place) for place in below):
            return f"contains {what}"
        if above.intersection(_identities(inside)):
            return f"is part of {what}"
    return None


def _home() -> list[Path]:
    try:
        return [Path.home()]
    except RuntimeError:  # an account without a home, as containers have
        return []


@cache
def _line(place: Path) -> list[Identity]:
    """A directory and all that are above it; it stays the same for as long as this program runs."""
    real = Path(os.path.realpath(place))
    return list(_identities([real, *real.parents]))


def _identities(paths: Iterable[Path]) -> Iterator[Identity]:
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        yield status.st_dev, status.st_ino
