"""Whether a directory lies in a git repository: asked at each start, before anything of git is loaded."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def levels_up(directory: Path) -> int | None:
    """How many directories above `directory` a repository's store lies; None when there is none on this disk."""
    device = directory.stat().st_dev
    for up, folder in enumerate((directory, *directory.parents)):
        with contextlib.suppress(OSError):
            if folder.stat().st_dev != device:
                return None
            if os.path.lexists(folder / ".git"):
                return up
    return None
