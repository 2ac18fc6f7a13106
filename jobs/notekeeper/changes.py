"""What a run changed of the files: looked at when it begins and when it ends, whatever a model says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent.setup import Hook
from sandbox.files.root import IGNORED, Entry, Refusal, Root


@dataclass(frozen=True)
class Difference:
    """Paths, sorted."""

    files_created: list[str]
    files_edited: list[str]
    files_deleted: list[str]
    folders_created: list[str]


class Changes(Hook):
    """Knows the working directory as it was when the run began."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._before = dict(everything(root))

    def since(self) -> Difference:
        """What differs now."""
        before, now = self._before, dict(everything(self._root))
        files = {path for path, entry in now.items() if entry.kind == "file"}
        were = {path for path, entry in before.items() if entry.kind == "file"}
        return Difference(
            files_created=sorted(files - were),
            files_edited=sorted(path for path in files & were if now[path] != before[path]),
            files_deleted=sorted(were - files),
            folders_created=sorted(path for path in now.keys() - before.keys() if now[path].kind == "directory"),
        )


def everything(root: Root, folder: str = "") -> Iterator[tuple[str, Entry]]:
    """Every file and folder with its path, without the IGNORED and without what may not be read."""
    try:
        entries = root.entries(folder)
    except Refusal:
        return
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.kind == "file" or (entry.kind == "directory" and entry.name not in IGNORED):
            # A folder's stamp moves with what is in it, which is told by itself.
            yield path, entry if entry.kind == "file" else Entry(entry.name, entry.kind, 0, 0)
        if entry.kind == "directory" and entry.name not in IGNORED:
            yield from everything(root, path)
