"""The person's own folder, where an installed package puts what is worked on."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copytree, rmtree

from config import INSTALLED, PLACE, PROJECT, ConfigError


def prepare() -> bool:
    """Put what is worked on where the person can change it, once; whether it was put there now. An installed package is
    only read, and a folder that is there is the person's. Raises ConfigError when the disk refuses."""
    if not INSTALLED or os.path.lexists(PLACE / "samples"):
        return False
    try:
        PLACE.mkdir(parents=True, exist_ok=True)
        for name in ("calculator", "samples"):  # the last one says that all is there
            if not os.path.lexists(PLACE / name):
                put_whole(PROJECT / name, PLACE / name)
    except OSError as error:
        raise ConfigError(f"{PLACE} cannot be written ({error.strerror or error}). Set GLASSBOX_HOME.") from None
    return True


def put_whole(source: Path, place: Path) -> None:
    """Copy a folder to a place where none is: all of it or, where the disk refuses, nothing. Raises OSError."""
    draft = place.with_name(f".{place.name}-{os.getpid()}")
    try:
        copytree(source, draft)
        draft.rename(place)
    finally:
        rmtree(draft, ignore_errors=True)
