"""The directories that no agent is given to work in, because too much hangs on what is in them."""

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from sandbox.files.names import is_repository

_PROGRAM = Path(__file__).parents[2]
_PACKAGES = ("agent", "cli", "functions", "jobs", "live", "offline", "people", "providers", "records", "sandbox")
_LIBRARY = Path(os.__file__).parent

Identity = tuple[int, int]


def off_limits(path: Path, status: os.stat_result) -> str | None:
    """Why a directory may not be worked in, as the end of a sentence ("it contains ..."); None when it may.

    `path` is absolute and free of links, `status` that of the open directory. Directories are compared by identity and
    not by spelling, since a bind mount, or a file system that ignores case, gives one directory several spellings.
    """
    if path.parent == path:
        return "is the whole disk"
    if any(map(is_repository, path.parts)):
        return "is the store of a repository"
    here = (status.st_dev, status.st_ino)
    for what, places in _kept_whole().items():
        if any(here in _line(place) for place in places):
            return f"contains {what}"
    above = set(_identities([path, *path.parents]))
    for what, places in _kept_inside().items():
        if above.intersection(_identities(places)):
            return f"is part of {what}"
    return None


def _kept_whole() -> dict[str, list[Path]]:
    """Places that must not be anywhere below a working directory."""
    return {
        "your home directory": _home(),
        "this program's source": [_PROGRAM],
        "the Python installation": [Path(sys.prefix), Path(sys.base_prefix), _LIBRARY],
    }


def _kept_inside() -> dict[str, list[Path]]:
    """Places that must not be above a working directory either."""
    return {
        "this program's source": [_PROGRAM / package for package in _PACKAGES],
        "the Python installation": [_LIBRARY] if sys.prefix == sys.base_prefix else [_LIBRARY, Path(sys.prefix)],
    }


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


def _identities(paths: Iterable[Path]) -> Iterable[Identity]:
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        yield status.st_dev, status.st_ino
