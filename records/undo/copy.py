"""A copy of a run's working directory as it was when the run began: for a fork, which leaves the directory alone.

What the run changed is known; of the rest, what later runs of the same directory changed is known too. What somebody
else changed since is not: it is taken as it is now, and named.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from config import ConfigError
from records.folders import folders, read_events, summary
from records.undo.kept import Kept
from records.undo.load import load
from records.undo.put_back import put_back
from records.undo.tree import AVAILABLE, Entry, Gaps, TooLarge, Tree, scan
from records.undo.undo import settle
from sandbox.files.directory import DIRECTORY
from sandbox.files.off_limits import is_repository

Entries = dict[str, Entry | None]


def copy_as_it_began(run: Path, runs: Path, target: Path) -> list[str]:
    """Fill `target`, an empty directory, with the files as they were when a run began. Returns a sentence for each
    thing that the person should know. Raises ConfigError when they cannot be had."""
    if not AVAILABLE:
        raise ConfigError("a fork needs a system that opens files by descriptor, which this one does not.")
    source = Path(summary(run).working_directory)
    with _opened(source) as top, tempfile.TemporaryDirectory(dir=target.parent) as blobs:
        held: dict[str, Path] = {}

        def keep(data: bytes, digest: str) -> None:
            held[digest] = Path(blobs, digest)
            held[digest].write_bytes(data)

        gaps: Gaps = set()
        try:
            now = scan(top, {}, keep, gaps)
        except (OSError, TooLarge) as error:
            raise ConfigError(f"{source} cannot be copied ({error or 'it holds too many files'}).") from None
        began, bytes_of = _as_it_began(run, runs, source, top)
        wanted = {path: entry for path, entry in {**now, **began}.items() if entry}
        left_out = sorted(path for path, entry in wanted.items() if not entry.kept)
        whole = {path: entry for path, entry in wanted.items() if entry.kept}
        failed = _fill(target, whole, lambda digest: held[digest].read_bytes() if digest in held else bytes_of(digest))
        failed += _copy_repository(source, target)
    missing = [*left_out, *failed, *sorted(gaps)]
    told = [f"Not in the copy, too large or not readable: {_named(missing)}."] if missing else []
    changed = _changed_since(run, now, began)
    return told + ([f"Changed since that run, and taken as they are now: {_named(changed)}."] if changed else [])


@contextlib.contextmanager
def _opened(directory: Path) -> Iterator[int]:
    try:
        top = os.open(directory, DIRECTORY)
    except OSError as error:
        raise ConfigError(f"the files of that run cannot be copied: {directory} ({error.strerror}).") from None
    try:
        yield top
    finally:
        os.close(top)


def _as_it_began(run: Path, runs: Path, source: Path, top: int) -> tuple[Entries, Callable[[str], bytes]]:
    """What differs from now, from the records of the run and of those after it, and where its bytes are."""
    known = folders(runs)
    later = known[: known.index(run)] if run in known else []
    records: list[Kept] = []
    for folder in [run, *reversed(later)]:
        with contextlib.suppress(ConfigError):  # a later one that cannot be read has nothing to say
            kept = load(folder)
            if kept is not None and kept.top == source:
                settle(kept, top)
                records.append(kept)
    began: Entries = {}
    for kept in records:
        for path, entry in kept.before.items():
            began.setdefault(path, entry)

    def bytes_of(digest: str) -> bytes:
        for kept in records:
            with contextlib.suppress(OSError):  # another may have it whole
                return kept.bytes_of(digest)
        raise OSError(errno.ENODATA, "it was not kept")

    return began, bytes_of


def _fill(target: Path, wanted: Tree, bytes_of: Callable[[str], bytes]) -> list[str]:
    descriptor = os.open(target, DIRECTORY)
    try:
        return [f"{path} ({why})" for path, why in put_back(descriptor, wanted, bytes_of).items()]
    finally:
        os.close(descriptor)


def _copy_repository(source: Path, target: Path) -> list[str]:
    """The store of a repository, which no tool of an agent writes to. What of it could not be copied."""
    failed: list[str] = []
    for entry in source.iterdir():
        if is_repository(entry.name) and entry.is_dir() and not entry.is_symlink():
            try:
                shutil.copytree(entry, target / entry.name, symlinks=True, ignore=_without_bytes)
            except shutil.Error as error:
                failed += [os.path.relpath(path, source) for path, _, _ in error.args[0]]
    return failed


def _without_bytes(folder: str, names: list[str]) -> set[str]:
    """What is neither a file nor a folder nor a link, such as the socket that git's fsmonitor listens at."""
    paths = [Path(folder, name) for name in names]
    return {path.name for path in paths if not (path.is_symlink() or path.is_dir() or path.is_file())}


def _changed_since(run: Path, now: Tree, began: Entries) -> list[str]:
    """The files that no record tells of and that are younger than the run's last word."""
    ended = summary(run).seconds + float(next(read_events(run), {}).get("began") or 0.0)
    files = ((path, entry) for path, entry in now.items() if entry.kind == "file" and path not in began)
    return sorted(path for path, entry in files if entry.stamp and entry.stamp[2] / 1e9 > ended + 1.0)


def _named(paths: list[str]) -> str:
    more = len(paths) - 5
    return ", ".join(repr(path)[:200] for path in paths[:5]) + (f" and {more} more" if more > 0 else "")
