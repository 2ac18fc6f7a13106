"""The working directory as a value that you hold. Every path that a model sends is walked from here, name by name.

Confinement is not a check that a tool must remember to make: a tool that holds a Root has no other way to a file.
"""

import errno
import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox.names import Refusal, is_repository, parts_of, shown, without_controls

if sys.platform == "win32":
    from sandbox.files_windows import Directory
else:
    from sandbox.files_posix import Directory

__all__ = ["IGNORED", "LARGEST_READ", "Entry", "Refusal", "Root", "hold"]

LARGEST_READ = 64 * 2**20  # bytes; what no limit means: a sparse terabyte must not fill the memory
IGNORED = frozenset(
    (".git", ".hg", ".svn", ".jj", ".venv", "venv", "node_modules", "__pycache__")
    + (".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")
)
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a directory."""

    name: str  # undecodable bytes and control characters escaped
    kind: str  # "file", "directory", or "other": a link, a FIFO, a socket, a device
    size: int  # bytes


class Root:
    """The working directory, held open: renaming it away or putting a link in its place changes nothing.

    Paths are relative, with "/" between names; "" and "." are the directory itself. No link is ever followed. Only
    regular files are read and written, and nothing here waits for another process. Every failure that a path or the
    system can cause is a Refusal. Safe for use from several threads at once.
    """

    path: Path  # absolute, for launching processes and for messages to the person; never shown to a model

    def __init__(self, path: str | Path) -> None:
        """Open a directory that exists. Raises Refusal when it is missing or not a directory, and when it holds more
        than a project: the whole disk, the home, this program's source, the Python installation, a repository's store.
        """
        self._lock = threading.Lock()
        self._top: Directory | None = None
        try:
            self.path = Path(os.path.realpath(path))
            self._top = Directory.at(str(self.path))
        except (OSError, ValueError) as error:
            raise _unusable(str(path), error) from error
        treasure = _treasure(self.path, self._top.status())
        if treasure:
            self.close()
            sentence = f'Cannot work in "{shown(str(path))}" as it {treasure}; choose a directory for one project'
            raise Refusal(sentence, "protected")

    def close(self) -> None:
        """Let go. Calls that are under way in other threads finish; later ones are refused. Closing twice is fine."""
        with self._lock:
            top, self._top = self._top, None
        if top:
            top.close()

    def __enter__(self) -> "Root":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read_bytes(self, path: str, *, verb: str = "read", limit: int | None = None) -> bytes:
        """The bytes of a regular file. Refusal "too_large" beyond `limit` bytes (LARGEST_READ when None)."""
        limit = LARGEST_READ if limit is None else limit
        with self._parent(path, verb) as (directory, name):
            descriptor = directory.open(name)
            try:
                data = _read(descriptor, limit)
            finally:
                os.close(descriptor)
        if data is None:
            raise Refusal(f'Cannot {verb} "{shown(path)}" as it is larger than {limit:,} bytes', "too_large")
        return data

    def write_bytes(self, path: str, data: bytes) -> None:
        """Replace or create a file in one step; missing parent directories are made. Mode and owner are kept, except
        setuid and setgid; a new file has 0o666 less the umask."""
        with self._parent(path, "write to", create=True) as (directory, name):
            directory.write(name, data)

    def read_text(self, path: str) -> str:
        """The text of a UTF-8 file, without its byte-order mark, with CRLF as "\\n" where the file uses CRLF throughout
        (a mixture is handed over as it is, so that writing it back changes nothing). Refusal "not_text" for others."""
        data = self.read_bytes(path)
        try:
            text = data.removeprefix(_BOM).decode()
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise Refusal(f'Cannot read "{shown(path)}" as it is not UTF-8 text', "not_text")
        return text.replace("\r\n", "\n") if _uses_crlf(data) else text

    def write_text(self, path: str, text: str) -> None:
        """Write UTF-8. A file that exists keeps its byte-order mark, and CRLF when it uses that throughout; a new one
        is exactly as given. Refusal "not_text" for a lone surrogate, which UTF-8 cannot hold."""
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            lone = shown(text[error.start])
            sentence = f'Cannot write to "{shown(path)}" as the text holds {lone}, which UTF-8 cannot encode'
            raise Refusal(sentence, "not_text") from error
        try:
            old = self.read_bytes(path)
        except Refusal:
            old = b""  # the write itself will say what is wrong, if anything is
        if _uses_crlf(old):
            data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        self.write_bytes(path, _BOM + data if old.startswith(_BOM) else data)

    def list(self, path: str = ".") -> "list[Entry]":
        """What is in a directory, sorted by name. Everything is shown, also what may not be opened."""
        return self._scan(parts_of(path, "list"), path)

    def walk(self, path: str = ".") -> Iterator[tuple[str, Entry]]:
        """Every regular file below a directory, depth first, sorted, with its path from the working directory. Leaves
        out links, IGNORED directories, names that could not be opened, and directories that may not be read. No
        descriptor is held between two files."""
        parts = parts_of(path, "list")
        return self._below("".join(f"{part}/" for part in parts), self._scan(parts, path))

    def is_file(self, path: str, *, verb: str = "read") -> bool:
        """Whether a regular file is there. Raises Refusal for a forbidden name or a link."""
        return self._has(path, verb, directories=False)

    def exists(self, path: str, *, verb: str = "read") -> bool:
        """Whether a regular file or a directory is there. Raises Refusal for a forbidden name or a link."""
        return self._has(path, verb, directories=True)

    def remove(self, path: str) -> None:
        """Delete a regular file."""
        with self._parent(path, "delete") as (directory, name):
            directory.remove(name)

    def _has(self, path: str, verb: str, *, directories: bool) -> bool:
        try:
            with self._parent(path, verb) as (directory, name):
                os.close(directory.open(name))
        except Refusal as refusal:
            if refusal.reason == "is_directory":
                return directories
            if refusal.reason in ("missing", "not_file", "not_directory"):
                return False
            raise
        return True

    @contextmanager
    def _parent(self, path: str, verb: str, *, create: bool = False) -> Iterator[tuple[Directory, str]]:
        """The directory that holds the last name of a path, and that name. An OSError inside becomes a Refusal."""
        parts = parts_of(path, verb)
        if not parts or (create and path.endswith("/")):
            raise _refusal(OSError(errno.EISDIR, ""), verb, path)
        with self._directory(parts[:-1], verb, path, create=create) as directory:
            try:
                yield directory, parts[-1]
            except OSError as error:
                raise _refusal(error, verb, path, parts[-1]) from error

    @contextmanager
    def _directory(self, parts: "list[str]", verb: str, path: str, *, create: bool = False) -> Iterator[Directory]:
        with self._lock:
            if self._top is None:
                raise Refusal(f'Cannot {verb} "{shown(path)}" as the working directory is no longer open', "closed")
            here = self._top.again()
        try:
            for part in parts:
                try:
                    below = here.enter(part, create=create)
                except OSError as error:
                    raise _refusal(error, verb, path, part) from error
                here.close()
                here = below
            yield here
        finally:
            here.close()

    def _scan(self, parts: "list[str]", path: str) -> "list[Entry]":
        with self._directory(parts, "list", path) as directory:
            try:
                return sorted((_entry(*found) for found in directory.scan()), key=lambda entry: entry.name)
            except OSError as error:
                raise _refusal(error, "list", path) from error

    def _below(self, top: str, entries: "list[Entry]") -> Iterator[tuple[str, Entry]]:
        waiting = [(top + entry.name, entry) for entry in reversed(entries)]
        while waiting:
            path, entry = waiting.pop()
            try:
                parts = parts_of(path, "list")
                if entry.kind == "file":
                    yield path, entry
                elif entry.kind == "directory" and entry.name not in IGNORED:
                    entries = self._scan(parts, path)
                    waiting.extend((f"{path}/{entry.name}", entry) for entry in reversed(entries))
            except Refusal:
                continue


@contextmanager
def hold(working_directory: str | Path | Root) -> Iterator[Root]:
    """A Root for as long as the block runs. One that is passed in is passed through and stays open."""
    if isinstance(working_directory, Root):
        yield working_directory
        return
    with Root(working_directory) as root:
        yield root


def _read(descriptor: int, limit: int) -> bytes | None:
    """All bytes; None when there are more than `limit`, also when the file grows while it is read."""
    size = os.fstat(descriptor).st_size
    if size > limit:
        return None
    data = bytearray()
    while chunk := os.read(descriptor, max(size + 1 - len(data), 65536)):
        data += chunk
        if len(data) > limit:
            return None
    return bytes(data)


def _uses_crlf(data: bytes) -> bool:
    return data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r") > 0


def _entry(name: str, status: os.stat_result) -> Entry:
    kind = {stat.S_IFREG: "file", stat.S_IFDIR: "directory"}.get(stat.S_IFMT(status.st_mode), "other")
    return Entry(without_controls(name), kind, status.st_size)


# What the system says, as a reason for code and as the end of a sentence for a model.
_WHY = {
    errno.ENOENT: ("missing", "it does not exist"),
    errno.ENOTDIR: ("not_directory", '"{part}" is not a directory'),
    errno.EISDIR: ("is_directory", "it is a directory"),
    errno.ENXIO: ("not_file", "it is not a regular file"),
    errno.ENODEV: ("not_file", "it is not a regular file"),
    errno.EACCES: ("denied", "permission is denied"),
    errno.EPERM: ("denied", "the system does not permit it"),
    errno.EROFS: ("denied", "the disk is read-only"),
    errno.ENOSPC: ("full", "the disk is full"),
    errno.EDQUOT: ("full", "the disk quota is used up"),
    errno.EFBIG: ("full", "the file would be larger than the system allows"),
    errno.ENAMETOOLONG: ("name", "the name is longer than the system allows"),
    errno.EILSEQ: ("name", "the disk cannot hold such a name"),
    errno.EINVAL: ("name", "the disk cannot hold such a name"),
    errno.EAGAIN: ("busy", "another program holds it"),
    errno.EBUSY: ("busy", "another program holds it"),
    errno.ETXTBSY: ("busy", "it is a program that is running"),
    errno.EMFILE: ("busy", "too many files are open; try again"),
    errno.ENFILE: ("busy", "too many files are open; try again"),
}
# The sentences that learners know from the best-known course on this design.
_ABSENT = {
    "read": 'File not found or is not a regular file: "{path}"',
    "execute": '"{path}" does not exist or is not a regular file',
    "list": '"{path}" is not a directory',
}


def _refusal(error: OSError, verb: str, path: str, part: str = "") -> Refusal:
    """`part` is the name at which the walk ended."""
    path, part = shown(path), shown(part)
    if error.errno == errno.ELOOP:
        outside = f'Cannot {verb} "{path}" as it is outside the permitted working directory'
        return Refusal(f'{outside}: "{part}" is a symbolic link, and links are never followed', "symlink")
    reason, why = _WHY.get(error.errno or 0, ("failed", f"the system reported an error ({error.strerror})"))
    if verb in _ABSENT and reason in ("missing", "not_file", "not_directory", "is_directory"):
        return Refusal(_ABSENT[verb].format(path=path), reason)
    return Refusal(f'Cannot {verb} "{path}" as {why.format(part=part)}', reason)


def _unusable(path: str, error: OSError | ValueError) -> Refusal:
    if isinstance(error, FileNotFoundError):
        return Refusal(f'The working directory "{shown(path)}" does not exist', "missing")
    if isinstance(error, NotADirectoryError):
        return Refusal(f'The working directory "{shown(path)}" is not a directory', "not_directory")
    if isinstance(error, ValueError):
        return Refusal(f'"{shown(path)}" is not a possible name for a working directory', "name")
    _, why = _WHY.get(error.errno or 0, ("failed", error.strerror))
    return Refusal(f'Cannot open the working directory "{shown(path)}": {why}', "denied")


def _treasure(path: Path, status: os.stat_result) -> str | None:
    """What a working directory holds that no model may touch; None when it may be used.

    Directories are compared by identity, not by spelling: a bind mount or a file system without upper case has more
    than one spelling for the same directory.
    """
    program = Path(__file__).resolve().parent.parent
    if path.parent == path:
        return "is the whole disk"
    if any(map(is_repository, path.parts)):
        return "is the store of a repository"
    within = {
        "contains your home directory": [Path("~").expanduser()],
        "contains this program's source": [program / "sandbox"],
        "contains the Python installation": [Path(sys.prefix), Path(sys.base_prefix)],
    }
    for reason, places in within.items():
        if any(_same(above, status) for place in places for above in [place.resolve(), *place.resolve().parents]):
            return reason
    return None


def _same(path: Path, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), status)
    except OSError:
        return False
