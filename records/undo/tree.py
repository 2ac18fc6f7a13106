"""A directory as undo sees it: every file, directory and link below it, what each holds, and how to put it back.

Model code may have run here, so nothing is believed: each name is opened from the descriptor of its directory, and no
link is followed, neither when reading nor when putting back.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.files.root import IGNORED

AVAILABLE = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
MOST_ENTRIES = 20_000  # in a directory; past it only what the tools themselves write is kept
LARGEST_FILE = 32 * 2**20  # bytes; a larger file is watched, and not kept
MOST_BYTES = 256 * 2**20  # in all files together
NOT_KEPT = "not kept"

_CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CAREFULLY


class TooLarge(Exception):
    """There are more entries than can be watched."""


@dataclass(frozen=True)
class Entry:
    """One name. `digest` is the SHA-256 of a file's bytes or the target of a link; it begins with NOT_KEPT where the
    bytes were too many, or could not be read."""

    kind: str  # "file", "directory" or "link"
    mode: int
    digest: str = ""
    stamp: tuple[int, ...] = field(default=(), compare=False)  # equal stamps: not touched since

    @property
    def kept(self) -> bool:
        return not self.digest.startswith(NOT_KEPT)


Tree = dict[str, Entry]
Keep = Callable[[bytes, str], None]  # bytes and their digest


def scan(top: Path, known: Mapping[str, Entry] | None = None, keep: Keep = lambda data, digest: None) -> Tree:
    """Return every entry below `top`, ignored folders excepted. Files whose stamp is that of `known` are not read
    again; each file that is read is given to `keep`. Raises TooLarge, or OSError when `top` cannot be read."""
    known = known or {}
    found: Tree = {}
    room = MOST_BYTES
    descriptor = os.open(top, _DIRECTORY)
    for path, status, directory in _walk(descriptor, ""):
        if len(found) >= MOST_ENTRIES:
            raise TooLarge
        stamp = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        before = known.get(path)
        if stat.S_ISREG(status.st_mode) and before and before.kind == "file" and before.stamp == stamp:
            found[path] = before
        else:
            found[path] = _entry(directory, path.rpartition("/")[2], status, stamp, room, keep)
        room -= status.st_size if stat.S_ISREG(status.st_mode) else 0
    return found


def look(top: Path, paths: list[str], keep: Keep = lambda data, digest: None) -> Tree:
    """Return the entries of these paths alone, and of the directories they are in; what is not there is left out."""
    found: Tree = {}
    every = {"/".join(path.split("/")[: depth + 1]) for path in paths for depth in range(path.count("/") + 1)}
    for path in sorted(every):
        with contextlib.suppress(OSError), _parent(top, path) as (directory, name):
            status = os.stat(name, dir_fd=directory, follow_symlinks=False)
            stamp = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            found[path] = _entry(directory, name, status, stamp, MOST_BYTES, keep)
    return found


def _walk(descriptor: int, prefix: str) -> Iterator[tuple[str, os.stat_result, int]]:
    """Yield path, status and the descriptor of the directory that holds it; closes `descriptor`."""
    try:
        try:
            names = sorted(entry.name for entry in os.scandir(descriptor))
        except PermissionError:
            return
        for name in names:
            try:
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            except FileNotFoundError:
                continue
            is_directory = stat.S_ISDIR(status.st_mode)
            if is_directory and name in IGNORED:
                continue
            yield prefix + name, status, descriptor
            if is_directory:
                with contextlib.suppress(OSError):
                    yield from _walk(os.open(name, _DIRECTORY, dir_fd=descriptor), f"{prefix}{name}/")
    finally:
        os.close(descriptor)


def _entry(directory: int, name: str, status: os.stat_result, stamp: tuple[int, ...], room: int, keep: Keep) -> Entry:
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISDIR(status.st_mode):
        return Entry("directory", mode)
    if stat.S_ISLNK(status.st_mode):
        return Entry("link", 0, os.readlink(name, dir_fd=directory))
    watched = Entry("file", mode, f"{NOT_KEPT} {status.st_size} {status.st_mtime_ns}", stamp)
    if not stat.S_ISREG(status.st_mode) or status.st_size > min(LARGEST_FILE, room):
        return watched
    try:
        data = _bytes(directory, name)
    except OSError:
        return watched
    digest = hashlib.sha256(data).hexdigest()
    keep(data, digest)
    return Entry("file", mode, digest, stamp)


def _bytes(directory: int, name: str) -> bytes:
    with open(os.open(name, os.O_RDONLY | _CAREFULLY, dir_fd=directory), "rb") as file:  # noqa: PTH123 - a descriptor
        return file.read(LARGEST_FILE + 1)


@contextlib.contextmanager
def _parent(top: Path, path: str) -> Iterator[tuple[int, str]]:
    """The descriptor of the directory that holds the last name of a path, and that name. Raises OSError."""
    *above, name = path.split("/")
    descriptor = os.open(top, _DIRECTORY)
    try:
        for part in above:
            below = os.open(part, _DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor, name
    finally:
        os.close(descriptor)


def put_back(top: Path, wanted: Mapping[str, Entry | None], bytes_of: Callable[[str], bytes]) -> list[str]:
    """Make each path what `wanted` says (None: not there). Returns the paths that could not be, each with why."""
    failed: list[str] = []

    def attempt(path: str, action: Callable[[int, str], None]) -> None:
        try:
            with _parent(top, path) as (directory, name):
                action(directory, name)
        except OSError as error:
            failed.append(f"{path} ({error.strerror})")

    directories = {path: entry for path, entry in wanted.items() if entry and entry.kind == "directory"}
    for path in sorted(wanted, reverse=True):  # the deepest first
        attempt(path, lambda directory, name, path=path: _clear(directory, name, wanted[path]))
    for path in sorted(directories):
        attempt(path, _make_directory)
    for path in sorted(wanted):
        entry = wanted[path]
        if entry and entry.kind == "link":
            attempt(path, lambda directory, name, entry=entry: _link(directory, name, entry.digest))
        elif entry and entry.kind == "file":
            attempt(path, lambda directory, name, entry=entry: _write(directory, name, entry, bytes_of))
    for path in sorted(directories, reverse=True):
        attempt(path, lambda directory, name, path=path: _set_mode(directory, name, directories[path].mode))
    return failed


def _clear(directory: int, name: str, wanted: Entry | None) -> None:
    """Remove what stands here when it is to be gone, or to be of another kind."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return
    is_directory = stat.S_ISDIR(status.st_mode)
    if wanted and (wanted.kind == "directory") == is_directory:
        return
    if is_directory:
        os.rmdir(name, dir_fd=directory)
    else:
        os.unlink(name, dir_fd=directory)


def _make_directory(directory: int, name: str) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=directory)
    # Open to its owner while its files are put back; its own mode follows at the end.
    _set_mode(directory, name, 0o700)


def _set_mode(directory: int, name: str, mode: int) -> None:
    try:
        descriptor = os.open(name, _DIRECTORY, dir_fd=directory)
    except PermissionError:  # it denies even its owner, who may change that: by name then
        os.chmod(name, mode, dir_fd=directory)
        return
    try:
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def _link(directory: int, name: str, target: str) -> None:
    temporary = f".{os.urandom(16).hex()}.tmp"
    os.symlink(target, temporary, dir_fd=directory)
    os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)


def _write(directory: int, name: str, entry: Entry, bytes_of: Callable[[str], bytes]) -> None:
    """Replace the file in one step, so that a crash leaves the old bytes or the new."""
    data = memoryview(bytes_of(entry.digest))
    temporary = f".{os.urandom(16).hex()}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFULLY, 0o600, dir_fd=directory)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        os.fchmod(descriptor, entry.mode)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        os.unlink(temporary, dir_fd=directory)
        raise
    finally:
        os.close(descriptor)
