"""Making paths what they were: contents, modes, owners, links; what was not there goes. By descriptor, as tree.py."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping

from records.undo.tree import LARGEST_FILE, Entry, Place, Tree, file_entry
from sandbox.files.directory import DIRECTORY
from sandbox.files.replace import Held, in_place_of, put

CHANGED = "somebody else has changed it just now"
HOLDS = "it holds what is not the run's"
WHY = {errno.ESTALE: CHANGED, errno.ENOTEMPTY: HOLDS}
_Action = Callable[[int, str, str], None]  # the directory's descriptor, the name in it, the path


def put_back(
    top: int, wanted: Mapping[str, Entry | None], bytes_of: Callable[[str], bytes], now: Tree | None = None
) -> dict[str, str]:
    """Make each path what `wanted` says (None: not there), in place of what `now` says and of nothing else; None: of
    whatever is there. Returns the paths that could not be, each with why."""
    failed: dict[str, str] = {}
    directories = {path: entry for path, entry in wanted.items() if entry and entry.kind == "directory"}
    others = {path: entry for path, entry in wanted.items() if entry and entry.kind != "directory"}

    def make(directory: int, name: str, path: str) -> None:
        if others[path].kind == "link":
            _link(directory, name, others[path])
        else:
            with _held(directory, name, path, now) as held:
                _write(directory, name, others[path], bytes_of, held)

    def clear(directory: int, name: str, path: str) -> None:
        _clear(directory, name, wanted[path], path, now)

    with Place(top) as place:

        def each(paths: Iterable[str], action: _Action) -> None:
            for path in paths:
                *above, name = path.split("/")
                try:
                    action(place.go(above), name, path)
                except (FileNotFoundError, NotADirectoryError) as error:
                    if action is not clear:  # where there is no folder yet, nothing is in the way
                        failed.setdefault(path, str(error.strerror))
                except OSError as error:
                    failed.setdefault(path, WHY.get(error.errno or 0, str(error.strerror)))

        each(sorted(wanted, reverse=True), clear)  # the deepest first
        each(sorted(directories), lambda at, name, path: _make_directory(at, name))
        each(sorted(others), make)
        each(sorted(directories, reverse=True), lambda at, name, path: _set_mode(at, name, directories[path]))
    return failed


def _clear(directory: int, name: str, wanted: Entry | None, path: str, now: Tree | None) -> None:
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
        return
    with _held(directory, name, path, now) as held:
        if held:
            held.remove()
        else:
            os.unlink(name, dir_fd=directory)


@contextlib.contextmanager
def _held(directory: int, name: str, path: str, now: Tree | None) -> Iterator[Held | None]:
    """A file held, to be replaced as it is; None for what is none, or may be anything. OSError ESTALE for what is not
    as it was seen."""
    if now is None:
        yield None
        return
    seen = now.get(path)
    if seen and seen.kind != "file":
        if seen.kind == "link" and os.readlink(name, dir_fd=directory) != seen.digest:
            raise OSError(errno.ESTALE, CHANGED)
        yield None
        return
    with Held(directory, name, LARGEST_FILE) as held:
        if (file_entry(held.status, held.data) if held.status else None) != seen:
            raise OSError(errno.ESTALE, CHANGED)
        yield held


def _make_directory(directory: int, name: str) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=directory)
    # Open to its owner while its files are put back; its own mode follows at the end.
    _set_mode(directory, name, Entry("directory", 0o700))


def _set_mode(directory: int, name: str, entry: Entry) -> None:
    try:
        descriptor = os.open(name, DIRECTORY, dir_fd=directory)
    except PermissionError:  # it denies even its owner, who may change that: by name then
        os.chmod(name, entry.mode, dir_fd=directory)
        return
    try:
        _own(descriptor, entry)
        os.fchmod(descriptor, entry.mode)
    finally:
        os.close(descriptor)


def _own(descriptor: int, entry: Entry) -> None:
    """The owner as it was: root can give that back, another user at most one of his own groups."""
    if entry.owner:
        with contextlib.suppress(OSError):
            os.fchown(descriptor, *entry.owner)


def _link(directory: int, name: str, entry: Entry) -> None:
    with in_place_of(directory, name) as temporary:
        os.symlink(entry.digest, temporary, dir_fd=directory)
        if entry.owner:
            with contextlib.suppress(OSError):
                os.chown(temporary, *entry.owner, dir_fd=directory, follow_symlinks=False)


def _write(directory: int, name: str, entry: Entry, bytes_of: Callable[[str], bytes], held: Held | None) -> None:
    data = bytes_of(entry.digest)

    def fill(descriptor: int) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        _own(descriptor, entry)
        whole = held is None or held.attributes_to(descriptor)
        os.fchmod(descriptor, entry.mode if whole else entry.mode & ~0o070)

    put(directory, name, fill, held=held)
