"""The person's own folder, where an installed package puts what is worked on."""

from __future__ import annotations

from shutil import copytree

from config import INSTALLED, PLACE, PROJECT, ConfigError


def prepare() -> bool:
    """Put what is worked on where the person can change it, once; whether it was put there now. An installed package is
    only read. Raises ConfigError when the disk refuses."""
    if not INSTALLED or (PLACE / "samples").exists():
        return False
    try:
        for name in ("calculator", "samples"):  # the last one says that all is there
            copytree(PROJECT / name, PLACE / name, dirs_exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{PLACE} cannot be written ({error.strerror or error}). Set GLASSBOX_HOME.") from None
    return True
