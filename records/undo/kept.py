"""What is kept of a run in its folder, so that it can be undone: the entries as they were and as the run left them.

records/undo/load.py reads it again.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from records.undo.tree import (
    Entry,
    Gaps,
    Identity,
    Tree,
    changed_part,
    content_of,
    covered,
    lines_of,
    with_folders,
)
from sandbox.files.replace import temporary_name

FORMAT = 2
CALLS = "calls.jsonl"
RETRACTED = "not done"  # of what was announced
NOTHING, A_TOOL, CODE = "", "a tool", "code"  # what is at work right now
THE_RUNS, SOMEBODYS, NOBODY_KNOWS = "the run's", "somebody's", "nobody knows"  # whose a change is that nobody announced
LARGEST_COUNTED = 4 * 2**20  # bytes of a file whose lines are compared only to be counted


class Kept:
    """`before`: the entries that the run changed, as they were (None: not there); `after`: the same, as it left them.

    `mixed` are the paths that the run changed and somebody else too. `unsure` changed while code was at work: by the
    code or by somebody else, nobody can tell. `under_way` is what is at work, and `watched` what was there when it
    began. `announced` is what the tool at work has said it would make of which path, before it did: kind and digest,
    as of an Entry. `temporary` is the name of the files that the run's process puts in place of others; only a kill
    leaves one. `gaps` are the folders that are not watched; `narrow` tells that code's changes are not watched at all.
    """

    def __init__(self, folder: Path, top: Path, identity: Identity | None) -> None:
        """`folder` is the run's, `top` the working directory, for messages and for finding it again."""
        self.folder, self.top, self.identity = folder / "kept", top, identity
        self.before: dict[str, Entry | None] = {}
        self.after: dict[str, Entry | None] = {}
        self.mixed: set[str] = set()
        self.unsure: set[str] = set()
        self.gaps: Gaps = set()
        self.narrow = False
        self.under_way = NOTHING
        self.paths: set[str] | None = None  # that what is at work can change; None: any
        self.watched: Tree = {}
        self.announced: dict[str, list[tuple[str, str]]] = {}
        self.temporary = temporary_name()
        self.calls = 0  # that have ended: what comes is that one's doing
        self.noted: set[str] = set()  # the digests that a fork needs
        self._noted: dict[str, Entry | None] = {}  # what `after` said when it was written last

    def begin(self, seen: Tree, paths: set[str] | None, under_way: str) -> None:
        """Something is about to work here, which can change these paths, and this is what was seen of them before."""
        self.changed_by_others(seen, paths)
        self.watched, self.paths, self.under_way, self.announced = dict(seen), paths, under_way, {}
        self.folder.mkdir(exist_ok=True, mode=0o700)
        (self.folder / "announced.jsonl").write_bytes(b"")
        self.write(watched=True)

    def announce(self, path: str, kind: str, data: bytes = b"") -> None:
        """A tool is about to make this of a path: a "file" with these bytes, a "directory", or "", nothing; RETRACTED:
        what it announced last was not done."""
        digest = hashlib.sha256(data).hexdigest() if kind == "file" else ""
        self.say(path, kind, digest)
        with (self.folder / "announced.jsonl").open("a", encoding="ascii") as lines:
            lines.write(json.dumps([path, kind, digest]) + "\n")

    def say(self, path: str, kind: str, digest: str) -> None:
        said = self.announced.setdefault(path, [])
        if kind != RETRACTED:
            said.append((kind, digest))
        elif said:
            said.pop()
        if not said:
            del self.announced[path]

    def finish(self, seen: Tree, otherwise: str) -> None:
        """What was at work has ended, and this is what is seen now; see `settle`."""
        self.settle(seen, otherwise)
        self.write()

    def settle(self, seen: Tree, otherwise: str) -> None:
        """Take what differs from what was watched, as announced, for the run's; `otherwise` says whose the rest is."""
        folders, others = with_folders(self.announced), set[str]()
        for path in self._looked_at(self.watched.keys() | seen.keys(), self.paths):
            was, now = self.watched.get(path), seen.get(path)
            if was == now:
                continue
            sure = otherwise == THE_RUNS or self._as_announced(path, was, now, folders)
            if not sure and otherwise == SOMEBODYS and path not in self.announced:
                others.add(path)
                continue
            self.before.setdefault(path, was)
            self.after[path] = now
            if not sure:
                self.unsure.add(path)
        self.changed_by_others(seen, others)
        self.under_way, self.watched, self.paths, self.announced = NOTHING, {}, None, {}

    def _as_announced(self, path: str, was: Entry | None, now: Entry | None, folders: Collection[str]) -> bool:
        if path.rpartition("/")[2] == self.temporary:
            return True
        announced = self.announced.get(path, [])
        if now is None:
            return ("", "") in announced
        # A write drops setuid, and what the group may where it cannot be that group's.
        if was and (was.kind != now.kind or now.mode not in (was.mode, was.mode & 0o777, was.mode & 0o707)):
            return False
        if now.kind == "directory":
            return path in folders
        return (now.kind, now.digest) in announced or (not now.kept and bool(announced))

    def changed_by_others(self, seen: Tree, paths: Collection[str] | None) -> None:
        """Of these paths (None: all) what the run had changed, and is not seen as it left it, is somebody's too."""
        for path in self._looked_at(self.after.keys(), paths):
            if seen.get(path) != self.after[path]:
                self.mixed.add(path)
                self.after[path] = seen.get(path)

    def _looked_at(self, among: Collection[str], paths: Collection[str] | None) -> list[str]:
        return [path for path in among if (paths is None or path in paths) and covered(path, self.gaps)]

    def keep(self, data: bytes, digest: str) -> None:
        """Keep the bytes of a file under their digest. Raises OSError."""
        if not (self.folder / digest).exists():
            self._put(digest, data)

    def bytes_of(self, digest: str) -> bytes:
        """The copy with this digest, looked at before it is believed: a disk may have cut it short. Raises OSError, as
        a sentence, where it is another by now or is gone."""
        try:
            data = (self.folder / digest).read_bytes()
        except FileNotFoundError:
            raise OSError(errno.ENODATA, "the copy that was kept of it is gone") from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise OSError(errno.EIO, "the copy that was kept of it is damaged")
        return data

    def prune(self) -> None:
        """Delete every copy that is not needed to go back or forth."""
        needed = {CALLS, *self.noted, *(entry.digest for pair in self.changes().values() for entry in pair if entry)}
        for copy in self.folder.iterdir() if self.folder.is_dir() else ():
            if copy.name == "watched.json" or (copy.suffix != ".json" and copy.name not in needed):
                copy.unlink()

    def changes(self) -> dict[str, tuple[Entry | None, Entry | None]]:
        """What changed: each path with what it was and what it is."""
        pairs = {path: (self.before.get(path), self.after[path]) for path in sorted(self.after)}
        return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}

    def counts(self) -> list[tuple[str, int, int]]:
        """Each changed file with how many lines were added and removed."""
        pairs = ((path, *pair) for path, pair in self.changes().items())
        return counts((each for each in pairs if any(e and e.kind != "directory" for e in each[1:])), self.bytes_of)

    def write(self, *, watched: bool = False) -> None:
        """Write down what is known; `before` first, since `after` is read with it. What changed with the call at work
        has a line of its own, for a fork."""
        changed = {path: entry for path, entry in self.after.items() if self._noted.get(path, NOTHING) != entry}
        self._noted = dict(self.after)
        self.noted |= {entry.digest for entry in changed.values() if entry}
        if changed:
            self.folder.mkdir(exist_ok=True, mode=0o700)  # nothing may have been kept: of a folder there are no bytes
            with (self.folder / CALLS).open("a", encoding="ascii") as calls:
                calls.write(json.dumps({"call": self.calls, "changed": _plain(changed)}) + "\n")
        if watched:
            self._write("watched.json", {"entries": _plain(self.watched)})
        about = {"working_directory": str(self.top), "identity": self.identity, "temporary": self.temporary}
        self._write("before.json", {**about, "entries": _plain(self.before)})
        sets = {"mixed": sorted(self.mixed), "unsure": sorted(self.unsure), "gaps": sorted(self.gaps)}
        paths = None if self.paths is None else sorted(self.paths)
        now = {"under_way": self.under_way, "paths": paths, "narrow": self.narrow, **sets}
        self._write("after.json", {**now, "changed": _plain(self.after)})

    def _write(self, name: str, data: Mapping[str, Any]) -> None:
        self._put(name, json.dumps({"format": FORMAT, **data}).encode("ascii"))

    def _put(self, name: str, data: bytes) -> None:
        self.folder.mkdir(exist_ok=True, mode=0o700)
        temporary = self.folder / f"{name}.tmp"
        temporary.write_bytes(data)
        temporary.replace(self.folder / name)


def _plain(entries: Mapping[str, Entry | None]) -> dict[str, list[Any] | None]:
    return {path: [each.kind, each.mode, each.digest, each.owner] if each else None for path, each in entries.items()}


def counts(
    pairs: Iterable[tuple[str, Entry | None, Entry | None]], bytes_of: Callable[[str], bytes]
) -> list[tuple[str, int, int]]:
    """Of each path, with what it was and what it is, how many lines were added and removed; none of what is no text.
    All of them together take no more than one comparison may."""
    steps: list[int] = []
    return [(path, *_count(content_of(old, bytes_of), content_of(new, bytes_of), steps)) for path, old, new in pairs]


def _count(old: bytes, new: bytes, steps: list[int]) -> tuple[int, int]:
    if b"\0" in old[:8000] or b"\0" in new[:8000]:
        return 0, 0
    if max(len(old), len(new)) > LARGEST_COUNTED or sum(steps) < 0:
        return new.count(b"\n"), old.count(b"\n")
    before, after = lines_of(old), lines_of(new)
    start, old_end, new_end = changed_part(before, after)
    if set(before[start:old_end]).isdisjoint(after[start:new_end]):
        return new_end - start, old_end - start
    from records.undo.compared import compared

    changed = [code for code in compared(before, after, steps) if code[0] != "equal"]
    return sum(code[4] - code[3] for code in changed), sum(code[2] - code[1] for code in changed)
