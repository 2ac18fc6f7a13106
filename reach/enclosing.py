"""The repository that a directory lies in: asked for at each start, and without one nothing of git is loaded."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sandbox.files.root import Root

if TYPE_CHECKING:
    from reach.repository import Repository


def repository_around(root: Root, **settings: Any) -> Repository | None:
    """The repository that a working directory lies in, with the settings of a Repository; None where it lies in none on
    this disk. Raises Refusal."""
    device = root.path.stat().st_dev
    for up, folder in enumerate((root.path, *root.path.parents)):
        if folder.stat().st_dev != device:
            return None
        if os.path.lexists(folder / ".git"):
            from reach.repository import Repository

            return Repository(root, up, **settings)
    return None
