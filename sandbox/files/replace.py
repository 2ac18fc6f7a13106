"""One file in place of another, in one step: who reads sees the old one or the new, and a kill leaves none half done.

On Linux a new file has no name until it is whole (open(2): O_TMPFILE), and goes with a process that is killed before.
To take the place of another it needs a name for a moment, as it does all the while on other systems and on file systems
without such files: `temporary_name`, which no other process has, so that undo knows whose a file of that name is.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_OWN = os.urandom(12).hex()
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NAMELESS = getattr(os, "O_TMPFILE", 0)  # not on macOS
_one_at_a_time = threading.RLock()  # as there is one name

Fill = Callable[[int], None]


def temporary_name() -> str:
    """The name of what this process is putting in place, the same for as long as it lives."""
    return f".{_OWN}{os.getpid():08x}.tmp"


def put(directory: int, name: bytes | str, fill: Fill, mode: int = 0o600) -> None:
    """Make a file of this name in an open directory, in place of what has the name, which must not be a directory.

    `fill` writes into the descriptor that it gets; it is called again where the first way turns out not to be open
    here. `mode` is what the file has at first, less the umask. Raises OSError, and has then changed nothing.
    """
    with _one_at_a_time:
        if _NAMELESS:
            with suppress(OSError):  # whatever it was: the other way says it, if it does not help
                return _put_when_whole(directory, name, fill, mode)
        with in_place_of(directory, name) as temporary:
            descriptor = os.open(temporary, _NEW, mode, dir_fd=directory)
            try:
                fill(descriptor)
            finally:
                os.close(descriptor)
    return None


@contextmanager
def in_place_of(directory: int, name: bytes | str) -> Iterator[str]:
    """The name under which the block makes something that then takes the place of what is called `name`."""
    with _one_at_a_time:
        temporary = temporary_name()
        try:
            yield temporary
            os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=directory)
            raise


def _put_when_whole(directory: int, name: bytes | str, fill: Fill, mode: int) -> None:
    descriptor = os.open(".", os.O_WRONLY | _NAMELESS, mode, dir_fd=directory)
    try:
        fill(descriptor)
        whole = f"/proc/self/fd/{descriptor}"
        try:
            os.link(whole, name, dst_dir_fd=directory, follow_symlinks=True)
        except FileExistsError:  # only a rename replaces what is there
            with in_place_of(directory, name) as temporary:
                os.link(whole, temporary, dst_dir_fd=directory, follow_symlinks=True)
    finally:
        os.close(descriptor)
