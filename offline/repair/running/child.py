"""What a forked child may use, and how it says what it found."""

from __future__ import annotations

import contextlib
import json
import os
import select
import threading
import time
from typing import Any

MEMORY_BYTES = 128 * 2**20  # of data, for one child; more where the first run needed more
MOST_MEMORY = 6 * MEMORY_BYTES  # for the first run
STACK_BYTES = 2**20  # of a thread: with the usual 8 MiB a dozen of them would be all of the data that a child may hold
FILE_BYTES = 16 * 2**20
ANSWER_BYTES = 32 * 2**20  # a child that says more than this is not listened to
LAST_RECORDS = {"passed", "modules"}  # after a record with one of these keys a child ends


def keep_only(*keep: int) -> None:
    """Close every descriptor but the standard three and these."""
    for descriptor in range(3, 256):
        if descriptor not in keep:
            with contextlib.suppress(OSError):
                os.close(descriptor)


def silence() -> None:
    """Tests may print as much as they like; nobody listens, and the search's own stdout is out of their reach."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def reporter(descriptor: int, *, ends: bool) -> Any:
    """A function that sends one record. With `ends` the child has nothing left to do after its last one, and ends."""

    def report(record: dict[str, Any]) -> None:
        os.write(descriptor, (json.dumps(record) + "\n").encode())
        if ends and LAST_RECORDS & record.keys():
            os._exit(0)

    return report


def listen(descriptor: int, deadline: float) -> list[dict[str, Any]]:
    """What the child reports until it ends, says its last record, or the deadline passes."""
    data = bytearray()
    while len(data) < ANSWER_BYTES:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        chunk = os.read(descriptor, 65536) if ready else b""
        data += chunk
        if not chunk:
            break
    os.close(descriptor)
    records = []
    for line in data.decode(errors="replace").splitlines():
        with contextlib.suppress(ValueError):
            records.append(json.loads(line))
    return records


def memory_for(peak: int) -> int:
    """How much data a child may hold when the first run held so much."""
    return max(MEMORY_BYTES, min(MOST_MEMORY, peak + MEMORY_BYTES))


def limit_resources(memory: int) -> None:
    """Bound memory and files, so that a bomb is an error inside the child. `memory`: bytes that it may fill."""
    import resource

    threading.stack_size(STACK_BYTES)
    for limit, value in ((resource.RLIMIT_DATA, memory + _reserved()), (resource.RLIMIT_FSIZE, FILE_BYTES)):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, resource.getrlimit(limit)[1]))
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _reserved() -> int:
    """Bytes of data that this process has reserved and not filled, as OpenBLAS does for its threads (60 MB): the limit
    counts them (getrlimit(2), RLIMIT_DATA), the first run's peak does not. 0 where the system does not say (proc(5),
    /proc/pid/statm)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            _, resident, shared, _, _, data, _ = map(int, file.read().split())
    except (OSError, ValueError):
        return 0
    return max(0, data - (resident - shared)) * os.sysconf("SC_PAGE_SIZE")
