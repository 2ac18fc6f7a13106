"""The working directory as a value that you hold. Every path that a model sends is walked from here, name by name.

Confinement is not a check that a tool must remember to make: a tool that holds a Root has no other way to a file.
"""

import errno
import os
import stat
import sys
import threading
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from sandbox.files.off_limits import LONGEST_PATH, Refusal, is_plain, off_limits, parts_of, refusal_to_write
from sandbox.files.replace import Held
from sandbox.files.unusual import shown, without_controls

if sys.platform == "win32":
    from sandbox.files.windows import Directory
else:
    from sandbox.files.directory import Directory

__all__ = ["IGNORED", "LARGEST_READ", "Entry", "Refusal", "Root", "hold"]

LARGEST_READ = 64 * 2**20  # bytes, where a caller sets no limit: a sparse terabyte must not fill the memory
IGNORED = frozenset(
    (".git", ".hg", ".svn", ".jj", ".venv", "venv", "node_modules", "__pycache__")
    + (".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")
)
TRIES = 10  # at a change that somebody else's is quicker than each time
_BOM = b"\xef\xbb\xbf"
_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory"}
_TOGETHER = 64  # files that are read while their directory is open


class Entry(
    namedtuple("Entry", ["name", "kind", "size", "changed"], defaults=[0])
):  # a dataclass imports in twice the time
    """One name in a directory."""

    __slots__ = ()
    name: str  # undecodable bytes and control characters escaped
    kind: str  # "file", "directory", or "other": a link, a FIFO, a socket, a device
    size: int  # bytes
    changed: int  # when its content last changed, as the system says: nanoseconds since 1970, 0 where it does not tell


_New = Callable[[Held], bytes | None]


class Root:
    """The working directory, held open: renaming it away, or putting a link in its place, changes nothing.

    Paths are relative, with "/" between names; "" and "." are the directory itself. No link is ever followed. Only
    regular files are read and written, and nothing here waits for another process. Every failure that a path, a text or
    the system can cause is a Refusal. Safe for use from several threads at once.
    """

    path: Path  # absolute, for launching processes and for messages to the person; never shown to a model
    quarantine: Path | None = None  # where goes what a run of code left to run later; None: a temporary directory
    allow_unconfined = False  # whether tools may run code here although this system has no wall for it

    def __init__(self, path: str | Path) -> None:
        """Open a directory that exists. Raises Refusal when it is missing or not a directory, and when it is or holds
        what no agent may be given: the whole disk, the home, this program's source, the Python installation, the store
        of a repository."""
        self._lock, self._changing = threading.Lock(), threading.RLock()
        self._top: Directory | None = None
        self.cancelled = threading.Event()  # set it, and code that runs in this directory is stopped
        # Whoever keeps what a run changes sets these. The first hears of each change before it is made: the path, what
        # will be there ("file", "directory", or "" for nothing) with its bytes, what is held there now, of a file, and
        # whether the new bytes are made of the old; it may raise a Refusal. The second hears that it was not made.
        self.before_change: Callable[..., None] = lambda path, kind, data=b"", held=None, computed=False: None
        self.not_changed: Callable[[str], None] = lambda path: None
        # Whoever keeps what files say sets this: it hears of each file that was written or deleted here.
        self.file_changed: Callable[[str], object] = lambda path: None
        why: str | Exception | None
        try:
            self.path = Path(os.path.realpath(path))
            self._top = Directory.at(str(self.path))
            why = off_limits(self.path, self._top.status())
        except (OSError, ValueError) as error:
            why = error
        if why:
            from sandbox.files.refusal import unusable

            self.close()
            raise unusable(path, why) from (why if isinstance(why, Exception) else None)

    def close(self) -> None:
        """Let go. Calls under way in other threads finish; later ones are refused. Closing twice is fine."""
        with self._lock:
            top, self._top = self._top, None
        if top:
            top.close()

    def __enter__(self) -> "Root":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def again(self, verb: str = "open", path: str = ".") -> Directory:
        """The directory itself, held once more, for one call, which may outlive close(); the caller closes it. Raises
        Refusal when this Root is closed: it cannot do what it was to do at a path."""
        with self._lock:
            if self._top is None:
                raise Refusal(f'Cannot {verb} "{shown(path)}" as the working directory is no longer open', "closed")
            try:
                return self._top.again()
            except OSError as error:
                raise _system(error, verb, path) from error

    def read_bytes(self, path: str, *, verb: str = "read", limit: int | None = None) -> bytes:
        """The bytes of a regular file. Refusal "too_large" beyond `limit` bytes (LARGEST_READ when None)."""
        limit = LARGEST_READ if limit is None else limit
        with self._parent(path, verb) as (directory, name):
            data = directory.read(name, limit)
        if data is None:
            raise _too_large(path, verb, limit)
        return data

    def write_bytes(self, path: str, data: bytes) -> None:
        """Replace or create a file in one step; missing parent directories are made. Mode and owner are kept, except
        setuid and setgid; a new file has 0o666 less the umask. Refusal "changed" when somebody else changes it at the
        same moment, each of TRIES times."""
        self._swap(path, "write to", lambda held: data, create=True)

    def read_text(self, path: str) -> str:
        """The text of a UTF-8 file, without its byte-order mark, with "\\n" for CRLF where the file uses CRLF
        throughout; a mixture is handed over as it is, so that writing it back changes nothing. Refusal "not_text" for
        what is not UTF-8, or holds a NUL as binary files do."""
        return _decoded(path, self.read_bytes(path))

    def write_text(self, path: str, text: str, *, new: bool = False, like: str | None = None) -> None:
        """Write UTF-8; `new`: only where nothing is, else Refusal "exists". One that exists keeps its byte-order mark,
        and CRLF where it uses that throughout; a new one is exactly as given, with the mode and the owner of the file
        that it is `like`. Refusal "not_text" for a lone surrogate, which UTF-8 cannot hold."""
        parts_of(path, "write to")  # where it leads comes before what it holds
        data = _encoded(path, text)

        def made(held: Held) -> bytes:
            if new and held.status:
                raise Refusal(f'Cannot write to "{shown(path)}" as it is there already', "exists")
            return _in_the_form_of(held.data or b"", data)

        if like is None:
            self._swap(path, "write to", made, create=True)
            return
        with self._parent(like, "read") as (directory, name), directory.hold(name, 0) as model:
            self._swap(path, "write to", made, create=True, model=model)

    def change_text(self, path: str, made: Callable[[str], str]) -> None:
        """Read a file as `read_text` does and write what `made` makes of its text, in the place of just that text: when
        somebody else has changed it meanwhile, `made` is asked again, with the new one. What it raises goes through,
        and nothing is changed then, as when it returns the same text."""

        def new(held: Held) -> bytes | None:
            if held.data is None:
                raise _too_large(path, "read", LARGEST_READ)
            old = _decoded(path, held.data)
            text = made(old)
            return held.data if text == old else _in_the_form_of(held.data, _encoded(path, text))

        _refuse_planted(parts_of(path, "read"), "write to", path)
        self._swap(path, "read", new, computed=True)

    def entries(self, path: str = ".", was: Sequence[Entry] = ()) -> Sequence[Entry]:
        """What is in a directory, sorted by name. Everything is shown, also what may not be opened. `was` is what it
        was before: where each of them says that it still is, the very same is returned."""
        return self._scan(parts_of(path, "list"), path, was)

    def walk(self, path: str = ".") -> Iterator[tuple[str, Entry]]:
        """Every regular file below a directory with its path from the working directory, depth first, sorted, one
        directory read at a time. Leaves out links, IGNORED directories, directories that may not be read, and names
        that no path may have. No descriptor is held between two files."""
        parts = parts_of(path, "list")
        return self._below("".join(f"{part}/" for part in parts), self._scan(parts, path))

    def contents(
        self, path: str = ".", *, wanted: Callable[[str, Entry], bool], limit: int
    ) -> Iterator[tuple[str, bytes]]:
        """Path and bytes of each file that `walk` finds and that is `wanted`. Leaves out what is larger than `limit`
        bytes, and what cannot be read or has gone since. A directory is opened once for up to 64 of its files, and
        closed before they are handed over."""
        yield from self.contents_of((path for path, entry in self.walk(path) if wanted(path, entry)), limit=limit)

    def contents_of(self, paths: Iterable[str], *, limit: int) -> Iterator[tuple[str, bytes]]:
        """The same of files that were found before, without a look at any other."""
        for folder, together in groupby(paths, key=lambda path: path.rpartition("/")[0]):
            while several := list(islice(together, _TOGETHER)):
                yield from self._read_several(folder, several, limit)

    def is_file(self, path: str, *, verb: str = "read") -> bool:
        """Whether a regular file is there. Raises Refusal for a forbidden name or a link."""
        return self._kind(path, verb) == "file"

    def exists(self, path: str, *, verb: str = "read") -> bool:
        """Whether a regular file or a directory is there. Raises Refusal for a forbidden name or a link."""
        return self._kind(path, verb) in ("file", "directory")

    def remove(self, path: str, *, saying: str | None = None) -> None:
        """Delete a regular file; with `saying` only one of that text. Refusal "changed" as with `write_bytes`."""

        def nothing(held: Held) -> None:
            if saying is not None and (held.data is None or _decoded(path, held.data) != saying):
                raise Refusal(f'Cannot delete "{shown(path)}" as somebody else has changed it meanwhile', "changed")

        self._swap(path, "delete", nothing)

    def make_folder(self, path: str) -> None:
        """Make a directory, with those above it; one that is there is left as it is."""
        parts = parts_of(path, "write to")
        self.before_change("/".join(parts), "directory")
        with self._directory(parts, "write to", path, create=True):
            pass

    def remove_folder(self, path: str) -> None:
        """Delete an empty directory. Refusal "not_empty" for one that holds anything."""
        self.before_change("/".join(parts_of(path, "delete")), "")
        with self._parent(path, "delete") as (directory, name):
            directory.remove_folder(name)

    def _swap(
        self,
        path: str,
        verb: str,
        new: _New,
        *,
        create: bool = False,
        computed: bool = False,
        model: Held | None = None,
    ) -> None:
        """Put in the place of what is at a path what `new` makes of it (None: nothing), and of nothing else.
        `computed`: it is made of what is there, which is read first, with that verb. `model`: the file whose mode and
        owner a new one gets."""
        parts = parts_of(path, verb)
        told, doing = "/".join(parts), "write to" if computed else verb
        for _ in range(TRIES):
            with (
                self._changing,  # one thread of ours is nobody else to another
                self._parent(path, verb, create=create) as (directory, name),
                directory.hold(name, LARGEST_READ) as old,
            ):
                if old.status is None and not create:
                    raise FileNotFoundError(errno.ENOENT, "")
                data = new(old)
                if computed and data == old.data:
                    return
                self.before_change(told, "" if data is None else "file", data or b"", old, computed)
                try:
                    index = self._git_index()
                    old.remove() if data is None else directory.write(name, data, old, model)
                    if index != self._git_index() and _read(directory, name, data) != data:
                        raise OSError(errno.ESTALE, "git has put back what was there")
                except BaseException as error:
                    self.not_changed(told)
                    if not isinstance(error, OSError):
                        raise
                    if error.errno != errno.ESTALE:
                        raise _system(error, doing, path, name) from error
                else:
                    self.file_changed(told)
                    return
        raise Refusal(f'Cannot {doing} "{shown(path)}" as somebody else keeps changing it; try again later', "changed")

    def _git_index(self) -> object:
        with closing(self.again()) as top:
            return top.git_index()

    def _read_several(self, folder: str, several: list[str], limit: int) -> list[tuple[str, bytes]]:
        read: list[tuple[str, bytes]] = []
        with suppress(Refusal), self._directory(parts_of(folder, "read"), "read", folder) as directory:
            for path in several:
                with suppress(OSError, Refusal):
                    if (data := directory.read(parts_of(path, "read")[-1], limit)) is not None:
                        read.append((path, data))
        return read

    def _kind(self, path: str, verb: str) -> str | None:
        if not parts_of(path, verb):
            return "directory"
        try:
            with self._parent(path, verb) as (directory, name), suppress(FileNotFoundError):
                return _kind(directory.status_of(name))
        except Refusal as refusal:
            if refusal.reason not in ("missing", "not_directory"):
                raise
        return None

    @contextmanager
    def _parent(self, path: str, verb: str, *, create: bool = False) -> Iterator[tuple[Directory, str]]:
        """The directory that holds the last name of a path, and that name."""
        parts = parts_of(path, verb)
        if create:
            _refuse_planted(parts, verb, path)
        if not parts or (create and path.endswith("/")):
            raise _system(OSError(errno.EISDIR, ""), verb, path)
        with self._directory(parts[:-1], verb, path, create=create, then=parts[-1]) as directory:
            yield directory, parts[-1]

    @contextmanager
    def _directory(
        self, parts: list[str], verb: str, path: str, *, create: bool = False, then: str = ""
    ) -> Iterator[Directory]:
        """The directory that these names lead to. An OSError becomes a Refusal; one inside is about the name `then`."""
        part = path
        here = self.again(verb, path)
        try:
            for part in parts:
                below = here.enter(part, create=create)
                here.close()
                here = below
            part = then or part
            yield here
        except OSError as error:
            raise _system(error, verb, path, part) from error
        finally:
            here.close()

    def _scan(self, parts: list[str], path: str, was: Sequence[Entry] = ()) -> Sequence[Entry]:
        known, found, same = {entry.name: entry for entry in was}, list[Entry](), True
        with self._directory(parts, "list", path) as directory:
            for name, status in directory.scan():
                entry = known.get(name)
                if not (entry and status and entry[1:] == (_kind(status), status.st_size, status.st_mtime_ns)):
                    entry, same = _entry(name, status), False
                found.append(entry)
        return was if was and same and len(found) == len(was) else sorted(found, key=itemgetter(0))

    def _below(self, prefix: str, entries: Sequence[Entry]) -> Iterator[tuple[str, Entry]]:
        levels = [(prefix, iter(entries))]
        while levels:
            prefix, rest = levels[-1]
            room = LONGEST_PATH - len(prefix.encode())
            for entry in rest:
                path, kind = prefix + entry.name, entry.kind
                if kind == "file" and is_plain(entry.name) and len(entry.name) <= room:  # nearly all: as parts_of says
                    yield path, entry
                    continue
                try:
                    parts = parts_of(path, "list")
                    below = self._scan(parts, path) if kind == "directory" and entry.name not in IGNORED else None
                except Refusal:
                    continue
                if kind == "file":
                    yield path, entry
                elif below is not None:
                    levels.append((f"{path}/", iter(below)))
                    break
            else:
                levels.pop()


def hold(working_directory: str | Path | Root) -> AbstractContextManager[Root]:
    """A Root for as long as the block runs. One that is passed in is passed through and stays open."""
    return nullcontext(working_directory) if isinstance(working_directory, Root) else Root(working_directory)


def _read(directory: Directory, name: str, like: bytes | None) -> bytes | None:
    """What has this name, None for nothing and for what is larger than `like`."""
    with suppress(FileNotFoundError):
        return directory.read(name, len(like or b""))
    return None


def _entry(name: str, status: os.stat_result | None) -> Entry:
    plain = name if name.isprintable() else without_controls(name)
    return Entry(plain, _kind(status), status.st_size, status.st_mtime_ns) if status else Entry(plain, "other", 0)


def _kind(status: os.stat_result) -> str:
    return _KINDS.get(stat.S_IFMT(status.st_mode), "other")


def _refuse_planted(parts: list[str], verb: str, path: str) -> None:
    if why := refusal_to_write(parts):
        raise Refusal(f'Cannot {verb} "{shown(path)}" as {why}; tell the person what should stand in it', "name")


def _too_large(path: str, verb: str, limit: int) -> Refusal:
    return Refusal(f'Cannot {verb} "{shown(path)}" as it is larger than {limit:,} bytes', "too_large")


def _system(error: OSError, verb: str, path: str, part: str = "") -> Refusal:
    from sandbox.files.refusal import from_system

    return from_system(error, verb, path, part)


def _decoded(path: str, data: bytes) -> str:
    try:
        text = data.removeprefix(_BOM).decode()
        if "\0" in text:
            raise ValueError("a NUL")
    except ValueError as error:
        raise Refusal(f'Cannot read "{shown(path)}" as it is not UTF-8 text', "not_text") from error
    return text.replace("\r\n", "\n") if _uses_crlf(data) else text


def _encoded(path: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        lone = shown(text[error.start])
        sentence = f'Cannot write to "{shown(path)}" as the text holds {lone}, which UTF-8 cannot hold'
        raise Refusal(sentence, "not_text") from error


def _in_the_form_of(old: bytes, data: bytes) -> bytes:
    """Text with the line ends and the byte-order mark that a file has."""
    if _uses_crlf(old):
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return _BOM + data if old.startswith(_BOM) else data


def _uses_crlf(data: bytes) -> bool:
    return data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r") > 0
