"""A turn at a name in a directory, among all machines that have it mounted: where no two files can change places in one
step, only one may compare and replace at a time. It is a file beside it that only one can make (open(2): O_EXCL).

Loaded where a system has no RENAME_EXCHANGE: on network mounts, and on macOS.
"""

import ctypes
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

LEFT = 5.0  # seconds in which somebody else's turn stayed the same: who took it was killed
MOST = 2.0  # seconds from the begin of a turn in which it is sure that nobody took it for left
_WAIT = 0.005
_EMPTY_PATH, _FORCE_SYNC, _BASIC, _SIZE = 0x1000, 0x2000, 0x7FF, 256
_LARGEST = 100  # bytes
_CAREFULLY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def turn(directory: int, name: bytes | str) -> Iterator[Callable[[], bool]]:
    """While the block runs nobody else has a turn at this name; what it gets tells whether that is still sure, which a
    machine that stood still for LEFT seconds cannot say. Raises OSError."""
    file = f".{hashlib.sha256(os.fsencode(name)).hexdigest()[:32]}.turn"
    own = os.urandom(16)
    descriptor, began = _taken(directory, file)
    try:
        with open(descriptor, "wb") as made:
            made.write(own)
        yield lambda: time.monotonic() - began < MOST and _said(directory, file) == own
    finally:
        with suppress(OSError):
            if _said(directory, file) in (own, b""):
                os.unlink(file, dir_fd=directory)


def _taken(directory: int, file: str) -> tuple[int, float]:
    """The file of a turn that is ours, and when it began."""
    seen, since = None, time.monotonic()
    while True:
        now = time.monotonic()
        try:
            return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFULLY, 0o600, dir_fd=directory), now
        except OSError as error:
            there = _said(directory, file)
            # A server may say of a file that is there no more than that it cannot be made.
            if not isinstance(error, FileExistsError) and there is None and now - since > MOST:
                raise
        if there != seen:
            seen, since = there, now
        elif now - since > LEFT:
            with suppress(FileNotFoundError):
                os.unlink(file, dir_fd=directory)
        time.sleep(_WAIT)


def _said(directory: int, file: str) -> bytes | None:
    """What stands in the file of a turn, None where there is none."""
    try:
        descriptor = os.open(file, os.O_RDONLY | _CAREFULLY, dir_fd=directory)
    except FileNotFoundError:
        return None
    try:
        ask_the_server(descriptor)
        return os.read(descriptor, _LARGEST)
    finally:
        os.close(descriptor)


def ask_the_server(descriptor: int) -> None:
    """A network mount may believe for seconds what size and time a file had, and shows what it read with them
    (statx(2): AT_STATX_FORCE_SYNC)."""
    statx = getattr(ctypes.CDLL(None), "statx", None)
    if statx:
        statx(descriptor, b"", _EMPTY_PATH | _FORCE_SYNC, _BASIC, ctypes.create_string_buffer(_SIZE))
