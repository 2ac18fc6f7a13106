"""The repository that a directory lies in: asked for at each start, and without one nothing of git is loaded."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.files.root import Root

if TYPE_CHECKING:
    from reach.repository import Repository


def repository_around(root: Root, **settings: Any) -> Repository | None:
    """The repository that a working directory lies in, with the settings of a Repository; None where it lies in none.
    Raises Refusal."""
    up = levels_up(root.path)
    if up is None:
        return None
    from reach.repository import Repository

    return Repository(root, up, **settings)


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
