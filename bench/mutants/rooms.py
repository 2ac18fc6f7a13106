"""The rooms whose code is changed, and the tests that are to notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from config import PROJECT


@dataclass(frozen=True)
class Room:
    """What is changed, and where the tests lie that are to notice; of these only those without the marker `long`."""

    files: tuple[str, ...]  # globs
    tests: tuple[str, ...]  # files and folders of tests/


CALLS = ("main/test_call_functions.py", "main/test_contracts.py", "main/test_main_job.py", "providers")
ROOMS = {
    "agent": Room(
        ("agent/*.py",), ("agent", *CALLS, "records/test_trace.py", "records/test_conversation.py", "doors/test_api.py")
    ),
    "dispatch": Room(("call_functions.py",), ("agent/test_gates.py", *CALLS)),
    "files": Room(("sandbox/files/[!w]*.py",), ("sandbox", "functions", "records")),
    "functions": Room(("functions/*.py",), ("functions", "sandbox", *CALLS[:-1])),
    "providers": Room(("providers/*.py",), ("agent", *CALLS, "doors/test_api.py", "main/test_another_job.py")),
    "running": Room(("sandbox/running/*.py",), ("sandbox", "functions", "main/test_environment.py")),
    "undo": Room(("records/undo/*.py",), ("records", "main/test_main_job.py")),
}


def files_of(room: Room) -> Iterator[str]:
    """The files of a room that hold code."""
    for glob in room.files:
        for path in sorted(PROJECT.glob(glob)):
            if path.stat().st_size:
                yield str(path.relative_to(PROJECT))
