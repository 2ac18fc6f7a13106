"""One directory, held open by descriptor: the only place where files are touched on Linux and macOS.

A path that is checked and then opened can be swapped in between; a descriptor cannot. Each method takes ONE name in
this directory and follows no link (open(2): O_NOFOLLOW). They raise OSError: ELOOP for a link, ENXIO for what is
neither a file nor a directory.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress

from sandbox.files.replace import CAREFULLY, Held, contents, must_be_regular, put

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | CAREFULLY


class Directory:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: str) -> "Directory":
        """Open the directory at an absolute path that the person chose."""
        return cls(os.open(path, _DIRECTORY))

    def again(self) -> "Directory":
        """The same directory with a life of its own: closing one leaves the other."""
        return Directory(os.dup(self._descriptor))

    def close(self) -> None:
        """Let go; a second time does nothing. The number is forgotten first: closed again after an interrupt, it might
        by then be the number of another thread's file."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def fileno(self) -> int:
        """The descriptor, which stays this directory's."""
        return self._descriptor

    def status(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    def status_of(self, name: str) -> os.stat_result:
        """The status of what has this name, which is not opened."""
        status = os.stat(name.encode(), dir_fd=self._descriptor, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return status

    def enter(self, name: str, *, create: bool = False) -> "Directory":
        """The directory of this name in this one, made first if asked for and missing."""
        try:
            return Directory(os.open(name.encode(), _DIRECTORY, dir_fd=self._descriptor))
        except NotADirectoryError:
            self.status_of(name)  # Linux says ENOTDIR for a link too; this second look only picks the error
            raise
        except FileNotFoundError:
            if not create:
                raise
        with suppress(FileExistsError):
            os.mkdir(name.encode(), dir_fd=self._descriptor)
        return self.enter(name)

    def open(self, name: str) -> int:
        """A descriptor for reading the regular file of this name."""
        descriptor = os.open(name.encode(), os.O_RDONLY | CAREFULLY, dir_fd=self._descriptor)
        try:
            must_be_regular(os.fstat(descriptor))
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def read(self, name: str, most: int) -> bytes | None:
        """The bytes of the regular file of this name; None when there are more than `most`."""
        descriptor = self.open(name)
        try:
            return contents(descriptor, most)
        finally:
            os.close(descriptor)

    def scan(self) -> Iterator[tuple[str, os.stat_result | None]]:
        """Each name, in the system's order, with its own status (of a link, not of what it points to); None where the
        system does not tell it, as for a network disk that has gone."""
        # Opened anew: again() shares its position in the listing, and two threads would each get half of it.
        descriptor = os.open(".", _DIRECTORY, dir_fd=self._descriptor)
        try:
            with os.scandir(descriptor) as entries:
                for entry in entries:
                    status = None
                    try:
                        status = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    except OSError:
                        pass
                    yield os.fsencode(entry.name).decode("utf-8", "backslashreplace"), status
        finally:
            os.close(descriptor)

    def hold(self, name: str, most: int) -> Held:
        """What has this name now, held so that it can be replaced or removed if it still is that."""
        return Held(self._descriptor, name.encode(), most)

    def write(self, name: str, data: bytes, held: Held) -> None:
        """Put a new file in place of what is held: readers see the old bytes or the new, never a mixture, and a hard
        link elsewhere keeps what it had. OSError ESTALE when something else has this name by now."""
        old = held.status
        if old:
            self._may_be_written(name)

        def fill(descriptor: int) -> None:
            if old:
                _take_after(descriptor, old)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)

        put(self._descriptor, name.encode(), fill, 0o600 if old else 0o666, held)

    def remove_folder(self, name: str) -> None:
        """Delete the empty directory of this name."""
        self.status_of(name)
        os.rmdir(name.encode(), dir_fd=self._descriptor)

    def _may_be_written(self, name: str) -> None:
        """A rename would also replace a file that was made read-only: opening it for writing, untruncated, asks the
        system for every reason not to."""
        with suppress(FileNotFoundError):
            os.close(os.open(name.encode(), os.O_WRONLY | CAREFULLY, dir_fd=self._descriptor))


def _take_after(descriptor: int, old: os.stat_result) -> None:
    # Where the file system has no owners or modes (FAT), or the owner is another, there is nothing to keep.
    with suppress(OSError):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    # Without setuid and setgid: new bytes do not inherit the trust that the old ones had.
    with suppress(OSError):
        os.fchmod(descriptor, old.st_mode & 0o777)
