"""One directory, pinned by handle: what directory.py is, for a system without descriptors of directories.

THIS FILE HAS NEVER RUN ON WINDOWS. It is by design: the tests run everything here but the three system calls at the
end, on Linux, against stand-ins for them.

Each directory on the way is opened without FILE_SHARE_DELETE, so that nobody can rename or replace it while it is held,
and is asked for its final path; a link or a junction shows there. A file is opened without truncation and asked the
same, and only then emptied. So a write is confined, but a reader can see half of it, unlike on the other systems.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sandbox.files.replace import contents

# IO_REPARSE_TAG_SYMLINK and IO_REPARSE_TAG_MOUNT_POINT, which the stat module has on Windows alone.
_LEADS_ELSEWHERE = (0xA000000C, 0xA0000003)
_CAREFULLY = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)


class Directory:
    def __init__(self, path: Path, expected: Path | None = None) -> None:
        """Pin a directory. OSError ELOOP when it turns out to be anywhere but at the `expected` path."""
        self._handle: int | None = _pin(path)
        # Final paths begin with \\?\, for which Windows neither shortens nor rewrites a name.
        self.path = Path(_final_path(self._handle))
        if expected and not same_path(self.path, expected):
            self.close()
            raise _error(errno.ELOOP)

    @classmethod
    def at(cls, path: str) -> "Directory":
        """Open the directory at an absolute path that the person chose."""
        if not stat.S_ISDIR(Path(path).stat().st_mode):
            raise _error(errno.ENOTDIR)
        return cls(Path(path))

    def again(self) -> "Directory":
        """The same directory with a life of its own: closing one leaves the other."""
        return Directory(self.path, self.path)

    def close(self) -> None:
        """Let go; a second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            _unpin(handle)

    def status(self) -> os.stat_result:
        return self.path.stat()

    def status_of(self, name: str) -> os.stat_result:
        """The status of what has this name, which is not opened."""
        status = (self.path / name).lstat()
        if is_link(status):
            raise _error(errno.ELOOP)
        return status

    def git_index(self) -> None:
        """Not looked at here: a git that is at work beside a change may put back what was there."""

    def enter(self, name: str, *, create: bool = False) -> "Directory":
        """The directory of this name in this one, made first if asked for and missing."""
        path = self.path / name
        if create:
            with suppress(FileExistsError):
                path.mkdir()
        if not stat.S_ISDIR(self.status_of(name).st_mode):
            raise _error(errno.ENOTDIR)
        return Directory(path, path)

    def open(self, name: str) -> int:
        """A descriptor for reading the regular file of this name."""
        self.must_be_regular(name)
        return self._open(name, os.O_RDONLY)

    def read(self, name: str, most: int) -> bytes | None:
        """The bytes of the regular file of this name; None when there are more than `most`."""
        descriptor = self.open(name)
        try:
            return contents(descriptor, most)
        finally:
            os.close(descriptor)

    def scan(self) -> Iterator[tuple[str, os.stat_result | None]]:
        """Each name, in the system's order, with its own status; None where the system does not tell it."""
        with os.scandir(self.path) as entries:
            for entry in entries:
                status = None
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                yield entry.name.encode(errors="backslashreplace").decode(), status

    def hold(self, name: str, most: int) -> "Held":
        """What has this name now, so that it can be replaced or removed if it still is that."""
        return Held(self, name, most)

    def write(self, name: str, data: bytes, held: "Held", model: "Held | None" = None) -> None:
        """Put these bytes into the file of this name, made if missing; its folder says who may read it, and no
        model. OSError ESTALE when it is not as it was held, asked directly before."""
        with suppress(FileNotFoundError):
            self.must_be_regular(name)
        descriptor = self._open(name, os.O_RDWR | os.O_CREAT | (0 if held.status else os.O_EXCL))
        try:
            held.check()
            os.ftruncate(descriptor, 0)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def remove_folder(self, name: str) -> None:
        """Delete the empty directory of this name."""
        self.status_of(name)
        (self.path / name).rmdir()

    def _open(self, name: str, flags: int) -> int:
        path = self.path / name
        descriptor = os.open(path, flags | _CAREFULLY, 0o666)
        try:
            if not same_path(Path(_final_path(_handle_of(descriptor))), path):
                raise _error(errno.ELOOP)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def must_be_regular(self, name: str) -> None:
        # Only for the sentence: Windows says "permission denied" for a directory. What counts is the final path.
        mode = self.status_of(name).st_mode
        if stat.S_ISDIR(mode):
            raise _error(errno.EISDIR)
        if not stat.S_ISREG(mode):
            raise _error(errno.ENXIO)


class Held:
    """What replace.Held is, without a descriptor: on this system an open file cannot be renamed by anybody."""

    def __init__(self, directory: Directory, name: str, most: int) -> None:
        self._directory, self._name, self._most = directory, name, most
        self.status: os.stat_result | None = None
        self.data: bytes | None = None
        with suppress(FileNotFoundError):
            self.status = directory.status_of(name)
            self.data = directory.read(name, most)

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held open."""

    def check(self) -> None:
        """OSError ESTALE when the file is not as it was."""
        if self.status and self._directory.read(self._name, self._most) != self.data:
            raise _error(errno.ESTALE)

    def remove(self) -> None:
        """Delete the file, unless it is not as it was: OSError ESTALE."""
        self._directory.must_be_regular(self._name)
        self.check()
        (self._directory.path / self._name).unlink()


def same_path(one: Path, other: Path) -> bool:
    """Whether two paths are the same, name by name, on a file system that ignores case."""
    return [part.casefold() for part in one.parts] == [part.casefold() for part in other.parts]


def is_link(status: os.stat_result) -> bool:
    """Whether it leads elsewhere: a link, or a junction, which Python calls a directory."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) in _LEADS_ELSEWHERE


def _error(code: int) -> OSError:
    return OSError(code, os.strerror(code))


# The system calls, https://learn.microsoft.com/windows/win32/api/fileapi. ctypes is imported when one is made.


def _pin(path: Path) -> int:
    import ctypes

    # Without a right to read, Windows would not hold anybody to the share mode.
    list_and_look, share_read_write, open_existing, backup_semantics = 0x81, 0x3, 3, 0x02000000
    create = ctypes.WinDLL("kernel32", use_last_error=True).CreateFileW
    create.argtypes = [
        ctypes.c_wchar_p,
        *[ctypes.c_uint32] * 2,
        ctypes.c_void_p,
        *[ctypes.c_uint32] * 2,
        ctypes.c_void_p,
    ]
    create.restype = ctypes.c_void_p
    handle = create(str(path), list_and_look, share_read_write, None, open_existing, backup_semantics, None)
    if handle == ctypes.c_void_p(-1).value:
        raise ctypes.WinError(ctypes.get_last_error())
    return handle


def _unpin(handle: int) -> None:
    import ctypes

    close = ctypes.WinDLL("kernel32", use_last_error=True).CloseHandle
    close.argtypes = [ctypes.c_void_p]
    close(handle)


def _final_path(handle: int) -> str:
    import ctypes

    final = ctypes.WinDLL("kernel32", use_last_error=True).GetFinalPathNameByHandleW
    final.argtypes = [ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_uint32, ctypes.c_uint32]
    buffer = ctypes.create_unicode_buffer(32768)  # the longest path that Windows knows
    if not final(handle, buffer, len(buffer), 0):
        raise ctypes.WinError(ctypes.get_last_error())
    return buffer.value


def _handle_of(descriptor: int) -> int:
    import msvcrt

    return msvcrt.get_osfhandle(descriptor)
