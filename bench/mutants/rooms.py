"""The rooms whose code is changed, and the tests that are to notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from config import PROJECT


@dataclass(frozen=True)
class Room:
    """What is changed, and where the tests lie that are to notice; of these only those without the marker `long`."""

    files: tuple[str, ...]  # globs
    tests: tuple[str, ...]  # files and folders


CALLS = (
    "tests/main/test_call_functions.py",
    "tests/main/test_contracts.py",
    "tests/main/test_main_job.py",
    "tests/providers",
)
SANDBOX = ("tests/sandbox", "tests/functions")
ROOMS = {
    "agent": Room(
        ("agent/*.py",),
        (
            "tests/agent",
            *CALLS,
            "tests/records/test_trace.py",
            "tests/records/test_conversation.py",
            "tests/doors/test_api.py",
        ),
    ),
    "dispatch": Room(("call_functions.py",), ("tests/agent/test_gates.py", *CALLS)),
    "files": Room(("sandbox/files/[!w]*.py",), (*SANDBOX, "tests/records")),
    "functions": Room(("functions/*.py",), (*SANDBOX, *CALLS[:-1])),
    "providers": Room(
        ("providers/*.py",), ("tests/agent", *CALLS, "tests/doors/test_api.py", "tests/main/test_another_job.py")
    ),
    "running": Room(("sandbox/running/*.py",), (*SANDBOX, "tests/main/test_environment.py")),
    "undo": Room(("records/undo/*.py",), ("tests/records", "tests/main/test_main_job.py")),
}


def files_of(room: Room) -> Iterator[str]:
    """The files of a room that hold code."""
    for glob in room.files:
        for path in sorted(PROJECT.glob(glob)):
            if path.stat().st_size:
                yield str(path.relative_to(PROJECT))
