"""Measurements as JSON lines, written as they come: an interrupted bench goes on where it stopped."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Line = dict[str, Any]


class Record:
    """A file of JSON lines; the first tells the machine and the day. `key` names the fields that identify a line."""

    def __init__(self, path: Path, key: tuple[str, ...], forget: Callable[[Line], bool] = lambda line: False) -> None:
        self.path, self.key = path, key
        path.parent.mkdir(parents=True, exist_ok=True)
        before = [line for line in read(path) if not forget(line)] if path.is_file() else []
        self.lines: list[Line] = []
        path.write_text("")
        for line in before or [{"kind": "machine", **machine()}]:
            self.add(line)

    def __contains__(self, wanted: Line) -> bool:
        return any(all(line.get(name) == wanted.get(name) for name in self.key) for line in self.lines)

    def add(self, line: Line) -> None:
        """Append a line; it is on the disk when this returns."""
        self.lines.append(line)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def read(path: Path) -> Iterator[Line]:
    """Yield the lines of a record; one that an interrupt has torn is passed over."""
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(text)
        except ValueError:
            continue


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
