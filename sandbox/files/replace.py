"""One file in place of another, in one step, and only in place of what was read: compared and swapped.

Who reads sees the old file or the new one, and a kill leaves none half done. On Linux a new file has no name until it
is whole (open(2): O_TMPFILE), and goes with a process that is killed before. To take the place of another it needs a
name for a moment: `temporary_name`, which no other process has, so that undo knows whose a file of that name is.

A person saves a file by writing into it or by putting another in its place. Against the first, a lease holds whoever
opens the file for writing until the swap is over (fcntl(2): F_SETLEASE); against the second, the two files change
places (rename(2): RENAME_EXCHANGE), so that what was there can be looked at, and go back. Where a system has neither,
as on a network mount, the file is compared directly before it is replaced, and whoever does the same waits for their
turn (turn.py), on whatever machine they are.
"""

import errno
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

if os.name == "posix":
    import fcntl

# O_NONBLOCK: opening a FIFO must not wait for its other end. O_NOCTTY: a terminal must not become ours.
CAREFULLY = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY"))
_OWN = os.urandom(12).hex()
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NAMELESS = getattr(os, "O_TMPFILE", 0)  # not on macOS
_NOREPLACE, _EXCHANGE = 1, 2
_LIST = "system.posix_acl_access"
_PATIENCE = 0.2  # seconds for a program that has the file open for writing
_NO_LINKS = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EOPNOTSUPP)  # what a file system without links says
_one_at_a_time = threading.RLock()  # as there is one name

Fill = Callable[[int], None]
Name = bytes | str


class Held:
    """What a name in an open directory leads to: the status of a regular file and its bytes, or nothing.

    A context manager. `data` is None where there is no file, and where it may not be read or is larger than `most`.
    Raises OSError for what is no regular file.
    """

    def __init__(
        self, directory: int, name: Name, most: int, opened: Callable[[int], None] = lambda descriptor: None
    ) -> None:
        self.directory, self.name, self._descriptor = directory, name, -1
        self.status: os.stat_result | None = None
        self.data: bytes | None = None
        try:
            self._descriptor = os.open(name, os.O_RDONLY | CAREFULLY, dir_fd=directory)
            opened(self._descriptor)
            self.status = os.fstat(self._descriptor)
            must_be_regular(self.status)
            self.data = contents(self._descriptor, most)
        except FileNotFoundError:
            if self._descriptor >= 0:  # what a network mount says of a file that was replaced since it was opened
                self.close()
                raise _stale() from None
        except PermissionError:  # what may not be read may be replaced all the same
            self.status = os.stat(name, dir_fd=directory, follow_symlinks=False)
            must_be_regular(self.status)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def attributes_to(self, descriptor: int) -> bool:
        """Give another open file the extended attributes of this one: who else may read it (acl(5)), and what programs
        noted beside it. A capability goes as setuid does. False where it may be read by others than this one: the group
        of a mode is, with such a list, the most that anybody on it may."""
        if self._descriptor < 0 or not hasattr(os, "listxattr"):
            return True
        complete = True
        try:
            names = [name for name in os.listxattr(self._descriptor) if name == _LIST or name.startswith("user.")]
        except OSError:  # a file system that has none
            return True
        for name in names:
            try:
                os.setxattr(descriptor, name, os.getxattr(self._descriptor, name))
            except OSError:
                complete &= name != _LIST
        return complete

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def check(self) -> None:
        """OSError ESTALE when the name leads to something else by now, or somebody has written into the file."""
        if not self._is_called(self.name):
            raise _stale()

    def swap(self, temporary: str) -> None:
        """Let what is called `temporary` take the place of this and go by its name. OSError ESTALE, with everything as
        it was, when this is not there any more as it was read."""
        if self.status is None:
            self._put_where_nothing_is(temporary)
            return
        new = _identity(os.stat(temporary, dir_fd=self.directory, follow_symlinks=False))
        _renameat2()  # found now: that takes milliseconds, in which a person can put another file in place
        with self._unwritten() as still:
            self.check()
            if not _renamed(self.directory, temporary, self.name, _EXCHANGE):
                self._replaced_in_turn(temporary)
                return
            is_this = False
            try:
                is_this = self._is_called(temporary) and still()
            finally:
                if not is_this:
                    _renamed(self.directory, temporary, self.name, _EXCHANGE)
                    if _identity(os.stat(temporary, dir_fd=self.directory, follow_symlinks=False)) != new:
                        # Somebody has put a third file there in between, over ours: that is the one that stays.
                        _renamed(self.directory, temporary, self.name, _EXCHANGE)
            if not is_this:
                raise _stale()
        os.unlink(temporary, dir_fd=self.directory)

    def remove(self) -> None:
        """Delete the file, unless it is not what was held any more: OSError ESTALE."""
        with _one_at_a_time, self._unwritten() as still:
            self.check()
            temporary = temporary_name()
            os.rename(self.name, temporary, src_dir_fd=self.directory, dst_dir_fd=self.directory)
            if not (self._is_called(temporary) and still()):
                self._put_where_nothing_is(temporary)
                raise _stale()
            os.unlink(temporary, dir_fd=self.directory)

    def _put_where_nothing_is(self, temporary: str) -> None:
        try:
            if _renamed(self.directory, temporary, self.name, _NOREPLACE):
                return
            os.link(temporary, self.name, src_dir_fd=self.directory, dst_dir_fd=self.directory, follow_symlinks=False)
            os.unlink(temporary, dir_fd=self.directory)
        except FileExistsError:
            raise _stale() from None
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._replaced_in_turn(temporary)

    def _replaced_in_turn(self, temporary: str) -> None:
        from sandbox.files.turn import ask_the_server, turn

        with turn(self.directory, self.name) as is_ours:
            self.check()
            if self.data is not None:
                with Held(self.directory, self.name, len(self.data), ask_the_server) as now:
                    if now.data != self.data:
                        raise _stale()
            if not is_ours():
                raise _stale()
            os.replace(temporary, self.name, src_dir_fd=self.directory, dst_dir_fd=self.directory)

    def _is_called(self, name: Name) -> bool:
        try:
            now = os.stat(name, dir_fd=self.directory, follow_symlinks=False)
            if self.status is None or _identity(now) != _identity(self.status):
                return False
            if self.data is None:
                return (now.st_size, now.st_mtime_ns) == (self.status.st_size, self.status.st_mtime_ns)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            return contents(self._descriptor, len(self.data)) == self.data
        except FileNotFoundError:
            return self.status is None

    @contextmanager
    def _unwritten(self) -> Iterator[Callable[[], bool]]:
        """While the block runs nobody begins to write into the file; what it gets tells that nobody wanted to. Raises
        OSError EBUSY when somebody has it open for writing all the time."""
        leased = _lease(self._descriptor)
        try:
            yield lambda: not leased or _still_leased(self._descriptor)
        finally:
            if leased:
                with suppress(OSError):
                    fcntl.fcntl(self._descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def temporary_name() -> str:
    """The name of what this process is putting in place, the same for as long as it lives."""
    return f".{_OWN}{os.getpid():08x}.tmp"


def put(directory: int, name: Name, fill: Fill, mode: int = 0o600, held: Held | None = None) -> None:
    """Make a file of this name in an open directory, in place of what has the name, which must not be a directory.

    `fill` writes into the descriptor that it gets; it is called again where the first way turns out not to be open
    here. `mode` is what the file has at first, less the umask. With `held`, only in place of that: else OSError ESTALE.
    Raises OSError, and has then changed nothing.
    """
    with _one_at_a_time:
        if _NAMELESS:
            try:
                return _put_when_whole(directory, name, fill, mode, held)
            except OSError as error:  # whatever it was: the other way says it, if it does not help
                if error.errno in (errno.ESTALE, errno.EBUSY):
                    raise
        with in_place_of(directory, name, held) as temporary:
            descriptor = os.open(temporary, _NEW, mode, dir_fd=directory)
            try:
                fill(descriptor)
            finally:
                os.close(descriptor)
    return None


@contextmanager
def in_place_of(directory: int, name: Name, held: Held | None = None) -> Iterator[str]:
    """The name under which the block makes something that then takes the place of what is called `name`."""
    with _one_at_a_time:
        temporary = temporary_name()
        try:
            yield temporary
            if held:
                held.swap(temporary)
            else:
                os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=directory)
            raise


def contents(descriptor: int, most: int) -> bytes | None:
    """All bytes of a file; None when there are more than `most`, also when it grows while it is read."""
    size = os.fstat(descriptor).st_size
    if size > most:
        return None
    whole = os.read(descriptor, size + 1)
    if len(whole) == size:  # asked for one byte more: nothing came after it
        return whole
    data = bytearray(whole)
    while len(data) <= most and (chunk := os.read(descriptor, 2**20)):
        data += chunk
    return bytes(data) if len(data) <= most else None


def must_be_regular(status: os.stat_result) -> None:
    """Raises OSError for what is no regular file."""
    if not stat.S_ISREG(status.st_mode):
        code = {stat.S_IFDIR: errno.EISDIR, stat.S_IFLNK: errno.ELOOP}.get(stat.S_IFMT(status.st_mode), errno.ENXIO)
        raise OSError(code, os.strerror(code))


def _put_when_whole(directory: int, name: Name, fill: Fill, mode: int, held: Held | None) -> None:
    descriptor = os.open(".", os.O_WRONLY | _NAMELESS, mode, dir_fd=directory)
    try:
        fill(descriptor)
        whole = f"/proc/self/fd/{descriptor}"
        try:
            if held and held.status:
                raise FileExistsError
            os.link(whole, name, dst_dir_fd=directory, follow_symlinks=True)
        except FileExistsError:  # only a rename replaces what is there
            with in_place_of(directory, name, held) as temporary:
                os.link(whole, temporary, dst_dir_fd=directory, follow_symlinks=True)
    finally:
        os.close(descriptor)


def _stale() -> OSError:
    return OSError(errno.ESTALE, os.strerror(errno.ESTALE))


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mode, status.st_uid, status.st_gid


def _lease(descriptor: int) -> bool:
    """Take a lease that whoever opens the file for writing has to wait for; False where there are none."""
    if descriptor < 0 or not hasattr(fcntl, "F_SETLEASE"):
        return False
    from signal import SIGURG  # what asks for the lease's end: the default would end this process

    until = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            return True
        except BlockingIOError:  # somebody has it open for writing
            if time.monotonic() > until:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY)) from None
            time.sleep(0.005)
        except OSError:  # another user's file, or a file system without leases
            return False


def _still_leased(descriptor: int) -> bool:
    return fcntl.fcntl(descriptor, fcntl.F_GETLEASE) == fcntl.F_RDLCK


def _renamed(directory: int, old: Name, new: Name, flag: int) -> bool:
    """Rename as renameat2(2) does, False where the system or the file system cannot. Raises OSError."""
    rename = _renameat2()
    if rename is None:
        return False
    if rename(directory, os.fsencode(old), directory, os.fsencode(new), flag) == 0:
        return True
    import ctypes

    code = ctypes.get_errno()
    if code in (errno.EINVAL, errno.ENOSYS):
        return False
    raise _stale() if code == errno.ENOENT else OSError(code, os.strerror(code))


@cache
def _renameat2() -> Callable[..., int] | None:
    import ctypes

    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if os.name == "posix" else None
