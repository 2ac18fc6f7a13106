"""Measurements as JSON lines, written as they come: an interrupted bench goes on where it stopped."""

from __future__ import annotations

import datetime
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

Line = dict[str, Any]


class Record:
    """A file of JSON lines; the first tells the machine and the day. `key` names the fields that identify a line.

    Only the keys are held in memory. One bench writes a file at a time: a second one gets an OSError.
    """

    def __init__(self, path: Path, key: tuple[str, ...], forget: Callable[[Line], bool] = lambda line: False) -> None:
        self.path, self.key = path, key
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _open_alone(path)
        if any(forget(line) for line in read(path)):
            self._rewrite([line for line in read(path) if not forget(line)])
        self._known = {self._key_of(line) for line in read(path)}
        if not self._known:
            self.add({"kind": "machine", **machine()})
        elif _torn(path):
            self._file.write(b"\n")

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._file.close()

    def __contains__(self, wanted: Mapping[str, Any]) -> bool:
        return self._key_of(wanted) in self._known

    @property
    def lines(self) -> Iterator[Line]:
        """Read what is recorded, a line at a time."""
        return read(self.path)

    def add(self, line: Line) -> None:
        """Append a line; it is in the file when this returns. Raises OSError when there is no room for all of it: then
        nothing of it is there. (A disk that is full takes a part of a write, and says so with the next.)"""
        size, rest = os.fstat(self._file.fileno()).st_size, memoryview(json.dumps(line).encode() + b"\n")
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            os.ftruncate(self._file.fileno(), size)
            raise
        self._known.add(self._key_of(line))

    def _key_of(self, line: Mapping[str, Any]) -> tuple[Any, ...]:
        values = (line.get(name) for name in self.key)
        return tuple(sys.intern(value) if isinstance(value, str) else value for value in values)

    def _rewrite(self, lines: list[Line]) -> None:
        write(self.path, lines)
        self._file.close()
        self._file = _open_alone(self.path)


def write(path: Path, lines: Iterable[Line]) -> None:
    """Put a file with these lines in the place of the one that is there, whole or not at all."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    beside.replace(path)


def read(path: Path) -> Iterator[Line]:
    """Yield the lines of a record; one that an interrupt has torn is passed over."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict):
                yield line


def tokens_of(line: Mapping[str, Any]) -> int:
    """How many tokens a run read and wrote, as far as its provider told."""
    return sum((line.get("tokens") or {}).get(way) or 0 for way in ("input", "output"))


def damaged(path: Path) -> int:
    """How many lines of a record nobody can read: what an interrupt has torn, or somebody has changed."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return sum(bool(text.strip()) for text in file) - sum(1 for _ in read(path))


def _torn(path: Path) -> bool:
    """Whether an interrupt has left the last line half written."""
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


def _open_alone(path: Path) -> Any:
    """Open for appending, unbuffered, and held against every other process."""
    file = path.open("ab", buffering=0)
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise OSError(
                f"{path} is being written by another bench; wait for it, or name another file: --out"
            ) from None
    return file


def machine() -> Line:
    """What a reader needs to know about where figures were taken."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": processor(),
        "cores": os.cpu_count(),
    }


def processor() -> str:
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
