"""One directory, held open by descriptor: the only place where files are touched on Linux and macOS.

A path that is checked and then opened can be swapped in between; a descriptor cannot. Each method takes ONE name in
this directory and follows no link (openat(2), O_NOFOLLOW). They raise OSError: ELOOP for a link, ENXIO for what is
neither file nor directory.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Self

# O_NONBLOCK: opening a FIFO must not wait for its other end. O_NOCTTY: a terminal must not become ours.
_CAREFULLY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | _CAREFULLY


class Directory:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: str) -> Self:
        """Open the directory at an absolute path that the person chose."""
        return cls(os.open(path, _DIRECTORY))

    def again(self) -> Self:
        """The same directory with a life of its own: closing one leaves the other."""
        return type(self)(os.dup(self._descriptor))

    def close(self) -> None:
        os.close(self._descriptor)

    def status(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    def enter(self, name: str, *, create: bool = False) -> Self:
        """The directory of this name in this one, made first if asked for and missing."""
        if create:
            with suppress(FileExistsError):
                os.mkdir(name.encode(), dir_fd=self._descriptor)
        try:
            return type(self)(os.open(name.encode(), _DIRECTORY, dir_fd=self._descriptor))
        except NotADirectoryError:
            # Linux says ENOTDIR for a link too; the second look only picks the sentence.
            if stat.S_ISLNK(os.lstat(name.encode(), dir_fd=self._descriptor).st_mode):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
            raise

    def open(self, name: str) -> int:
        """A descriptor for reading the regular file of this name."""
        return self._open(name, os.O_RDONLY)[0]

    def scan(self) -> Iterator[tuple[str, os.stat_result]]:
        """Each name with its own status (of a link, not of what it points to), in the system's order."""
        # Opened anew: again() shares the position in the listing, and two threads would each get half of it.
        descriptor = os.open(".", _DIRECTORY, dir_fd=self._descriptor)
        try:
            with os.scandir(descriptor) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):
                        name = os.fsencode(entry.name).decode("utf-8", "backslashreplace")
                        yield name, entry.stat(follow_symlinks=False)
        finally:
            os.close(descriptor)

    def write(self, name: str, data: bytes) -> None:
        """Put a new file in place of whatever file has this name: readers see the old bytes or the new, never a mix,
        and a hard link outside keeps what it had."""
        old = self._replaceable(name)
        # secrets.token_hex would cost 4 ms of imports.
        temporary = f".{os.urandom(16).hex()}.tmp"
        try:
            self._fill(temporary, data, old)
            os.replace(temporary, name.encode(), src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=self._descriptor)
            raise

    def remove(self, name: str) -> None:
        """Delete the regular file of this name."""
        os.close(self._open(name, os.O_RDONLY)[0])
        os.unlink(name.encode(), dir_fd=self._descriptor)

    def _open(self, name: str, flags: int) -> tuple[int, os.stat_result]:
        descriptor = os.open(name.encode(), flags | _CAREFULLY, dir_fd=self._descriptor)
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode):
            return descriptor, status
        os.close(descriptor)
        code = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.ENXIO
        raise OSError(code, os.strerror(code))

    def _replaceable(self, name: str) -> os.stat_result | None:
        """The status of the file that will be replaced. A rename would replace a file that its owner made read-only;
        opening it for writing, without truncating, asks the system for every reason not to."""
        try:
            descriptor, status = self._open(name, os.O_WRONLY)
        except FileNotFoundError:
            return None
        os.close(descriptor)
        return status

    def _fill(self, name: str, data: bytes, like: os.stat_result | None) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFULLY
        descriptor = os.open(name, flags, 0o600 if like else 0o666, dir_fd=self._descriptor)
        try:
            if like:
                _take_after(descriptor, like)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _take_after(descriptor: int, old: os.stat_result) -> None:
    # Without setuid and setgid: new bytes do not inherit the trust of the old ones.
    # Where the file system has no owners or modes (FAT), there is nothing to keep.
    with suppress(OSError):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    with suppress(OSError):
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & 0o777)
