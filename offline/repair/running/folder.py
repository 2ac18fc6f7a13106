"""A slot's private copy of the project: written once, changed for a candidate, put back after every run."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path


class Folder:
    """`place`/program holds the files; `place`/tmp is for temporary files of the tests."""

    def __init__(self, place: Path, files: Mapping[str, str]) -> None:
        self.place = place.resolve()
        self.program = self.place / "program"
        self.temporary = str(self.place / "tmp")
        self.files = files
        self.changed: set[str] = set()
        shutil.rmtree(self.place, ignore_errors=True)
        (self.place / "tmp").mkdir(parents=True)
        self.state: dict[str, tuple[int, int, int]] = {}
        self.write(files)
        self.changed.clear()
        self.state = self._look()

    def enter(self) -> None:
        """Make the program's folder the current directory."""
        os.chdir(self.program)

    def absolute(self, path: str) -> str:
        """The absolute name of a file of the project."""
        return str(self.program / path)

    def write(self, texts: Mapping[str, str]) -> None:
        """Write these files over the project's own."""
        for path, text in texts.items():
            name = self.program / path
            if path not in self.files or not self.state:
                name.parent.mkdir(parents=True, exist_ok=True)
            name.write_bytes(text.encode("utf-8", "surrogatepass"))
            self.changed.add(path)

    def restore(self) -> None:
        """Undo what a candidate or its tests wrote."""
        for path in self.changed:
            self._put_back(path)
        self.changed.clear()
        seen = self._look()
        for path in sorted(set(seen) - set(self.state), reverse=True):
            _remove(self.program / path)
        for path in self.files:
            if seen.get(path) != self.state.get(path):
                self._put_back(path)
        for extra in (self.place / "tmp", self.place / "basetemp"):
            with contextlib.suppress(OSError):
                for name in extra.iterdir():
                    _remove(name)

    def _put_back(self, path: str) -> None:
        name = self.program / path
        try:
            name.write_bytes(self.files[path].encode("utf-8", "surrogatepass"))
        except OSError:  # a folder stands in its place, or its folder is gone
            _remove(name)
            name.parent.mkdir(parents=True, exist_ok=True)
            name.write_bytes(self.files[path].encode("utf-8", "surrogatepass"))
        self.state[path] = _signature(name.lstat())

    def _look(self) -> dict[str, tuple[int, int, int]]:
        """Every file and folder below the program, with what shows that it was touched."""
        found: dict[str, tuple[int, int, int]] = {}
        waiting = [self.program]
        while waiting:
            folder = waiting.pop()
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.path[len(str(self.program)) + 1 :].replace(os.sep, "/")
                    is_folder = entry.is_dir(follow_symlinks=False)
                    found[name] = (0, 0, 0) if is_folder else _signature(entry.stat(follow_symlinks=False))
                    if is_folder:
                        waiting.append(Path(entry.path))
        return found


def _signature(status: os.stat_result) -> tuple[int, int, int]:
    """What shows that a file was touched."""
    return status.st_mtime_ns, status.st_size, status.st_ino


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
