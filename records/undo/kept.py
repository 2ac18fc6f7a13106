"""What is kept of a run in its folder, so that it can be undone: the entries as they were and as the run left them."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from config import ConfigError
from records.undo.tree import Entry, Gaps, Identity, Tree, covered, with_folders
from sandbox.files.replace import temporary_name

FORMAT = 2
CALLS = "calls.jsonl"
RETRACTED = "not done"  # of what was announced
NOTHING, A_TOOL, CODE = "", "a tool", "code"  # what is at work right now
THE_RUNS, SOMEBODYS, NOBODY_KNOWS = "the run's", "somebody's", "nobody knows"  # whose a change is that nobody announced


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
        self._noted: set[str] = set()

    @classmethod
    def load(cls, folder: Path) -> Kept | None:
        """Read what is kept of a run; None when it changed nothing. Raises ConfigError when that cannot be read."""
        try:
            before = json.loads((folder / "kept" / "before.json").read_bytes())
            after = json.loads((folder / "kept" / "after.json").read_bytes())
            watched = json.loads((folder / "kept" / "watched.json").read_bytes()) if after["under_way"] else {}
            announced = _lines(folder / "kept" / "announced.jsonl") if after["under_way"] else []
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ConfigError(f"what was kept of {folder.name} cannot be read ({error}).") from None
        try:
            if before["format"] != FORMAT:
                raise ConfigError(f"{folder.name} was kept by an older Glassbox, whose undo this one does not read.")
            identity = before["identity"]
            kept = cls(folder, Path(before["working_directory"]), identity and (identity[0], identity[1]))
            kept.before, kept.after = _entries(before["entries"]), _entries(after["changed"])
            kept.watched = {path: entry for path, entry in _entries(watched.get("entries", {})).items() if entry}
            kept.temporary = before.get("temporary", kept.temporary)
            for path, kind, digest in announced:
                kept._say(path, kind, digest)
            kept.mixed, kept.unsure, kept.gaps = set(after["mixed"]), set(after["unsure"]), set(after["gaps"])
            kept.narrow, kept.under_way = after["narrow"], after["under_way"]
            kept.paths = None if after["paths"] is None else set(after["paths"])
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"what was kept of {folder.name} is damaged ({error!r}).") from None
        return kept

    def begin(self, seen: Tree, paths: set[str] | None, under_way: str) -> None:
        """Something is about to work here, which can change these paths, and this is what was seen of them before."""
        before = dict(self.after)
        self._changed_by_others(seen, paths)
        self.watched, self.paths, self.under_way, self.announced = dict(seen), paths, under_way, {}
        self.folder.mkdir(exist_ok=True, mode=0o700)
        self._note(before)
        (self.folder / "announced.jsonl").write_bytes(b"")
        self._write_watched()
        self.write()

    def announce(self, path: str, kind: str, data: bytes) -> None:
        """A tool is about to make this of a path: a "file" with these bytes, a "directory", or "", nothing."""
        self._announce(path, kind, hashlib.sha256(data).hexdigest() if kind == "file" else "")

    def retract(self, path: str) -> None:
        """What was announced last of a path was not done."""
        self._announce(path, RETRACTED, "")

    def found(self, path: str, was: Entry | None) -> None:
        """This is what a tool is about to replace: where that is not what was seen before the call, somebody else has
        changed it meanwhile, and it is what comes back. Its bytes are kept already."""
        seen = self.watched.get(path)
        if was == seen or (was and (was.kind, was.digest) in self.announced.get(path, [])):
            return
        if was and seen and was.stamp == seen.stamp:  # it was one of too many to keep, and is kept now
            self.watched[path] = was
            self._write_watched()
            return
        self._noted |= {was.digest} if was else set()
        if path in self.announced:  # between two changes of the same call
            self.mixed.add(path)
        else:
            self._changed_by_others({path: was} if was else {}, {path})
            self.watched.pop(path, None)
            self.watched |= {path: was} if was else {}
            self._write_watched()
        self.write()

    def _announce(self, path: str, kind: str, digest: str) -> None:
        self._say(path, kind, digest)
        with (self.folder / "announced.jsonl").open("a", encoding="ascii") as lines:
            lines.write(json.dumps([path, kind, digest]) + "\n")

    def _say(self, path: str, kind: str, digest: str) -> None:
        said = self.announced.setdefault(path, [])
        if kind != RETRACTED:
            said.append((kind, digest))
        elif said:
            said.pop()
        if not said:
            del self.announced[path]

    def finish(self, seen: Tree, *, ok: bool) -> None:
        """What was at work has ended, well or with a refusal, and this is what is seen now."""
        before = dict(self.after)
        if self.under_way == CODE:
            self.settle(seen, NOBODY_KNOWS)
        else:  # a tool of another program announces nothing: what changed while it was at work is then its own
            self.settle(seen, THE_RUNS if ok and not self.announced else SOMEBODYS)
        self._note(before)
        self.write()

    def settle(self, seen: Tree, otherwise: str) -> None:
        """Take what differs from what was watched, as announced, for the run's; `otherwise` says whose the rest is."""
        folders, others = with_folders(list(self.announced)), set()
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
        self._changed_by_others(seen, others)
        self.under_way, self.watched, self.paths, self.announced = NOTHING, {}, None, {}

    def _as_announced(self, path: str, was: Entry | None, now: Entry | None, folders: Collection[str]) -> bool:
        if path.rpartition("/")[2] == self.temporary:
            return True
        announced = self.announced.get(path, [])
        if now is None:
            return ("", "") in announced
        if was and (was.kind != now.kind or now.mode not in (was.mode, was.mode & 0o777)):  # a write drops setuid
            return False
        if now.kind == "directory":
            return path in folders
        return (now.kind, now.digest) in announced or (not now.kept and bool(announced))

    def temporaries(self) -> set[str]:
        """Where a killed run can have left a file of the temporary name: beside what it changed or was changing."""
        return {f"{path.rpartition('/')[0]}/{self.temporary}".lstrip("/") for path in {*self.after, *self.announced}}

    def _changed_by_others(self, seen: Tree, paths: Collection[str] | None) -> None:
        for path in self._looked_at(self.after.keys(), paths):
            if seen.get(path) != self.after[path]:
                self.mixed.add(path)
                self.after[path] = seen.get(path)

    def _note(self, before: Mapping[str, Entry | None]) -> None:
        """Write down what `after` says that it did not say before, for a fork: what changed with a call, by it or by
        somebody else."""
        changed = {path: entry for path, entry in self.after.items() if path not in before or before[path] != entry}
        if not changed:
            return
        self._noted |= {entry.digest for entry in changed.values() if entry}
        line = json.dumps({"call": self.calls, "changed": _all_plain(changed)})
        with (self.folder / CALLS).open("a", encoding="ascii") as calls:
            calls.write(f"{line}\n")

    def by_call(self) -> dict[int, dict[str, Entry | None]]:
        """What changed with each call, by its number among those that ended, from 0. Raises ConfigError where a run
        changed files and this was not kept."""
        found: dict[int, dict[str, Entry | None]] = {}
        try:
            lines = (self.folder / CALLS).read_text(encoding="ascii").splitlines()
        except OSError:
            if self.changes():
                name = self.folder.parent.name
                raise ConfigError(f"{name} was kept by an older Glassbox: its steps have no files.") from None
            lines = []
        for line in lines:
            with contextlib.suppress(ValueError):  # a line that a killed run left half written
                noted = json.loads(line)
                found.setdefault(noted["call"], {}).update(_entries(noted["changed"]))
        return found

    def _looked_at(self, among: Collection[str], paths: Collection[str] | None) -> list[str]:
        return [path for path in among if (paths is None or path in paths) and covered(path, self.gaps)]

    def keep(self, data: bytes, digest: str) -> None:
        """Keep the bytes of a file under their digest. Raises OSError."""
        path = self.folder / digest
        if path.exists():
            return
        self.folder.mkdir(exist_ok=True, mode=0o700)
        temporary = self.folder / f"{digest}.tmp"
        temporary.write_bytes(data)
        temporary.replace(path)

    def bytes_of(self, digest: str) -> bytes:
        return (self.folder / digest).read_bytes()

    def changes(self) -> dict[str, tuple[Entry | None, Entry | None]]:
        """What changed: each path with what it was and what it is."""
        pairs = {path: (self.before.get(path), self.after[path]) for path in sorted(self.after)}
        return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}

    def counts(self) -> list[tuple[str, int, int]]:
        """Each changed file with how many lines were added and removed."""
        from records.undo.compared import counts

        pairs = [(path, *pair) for path, pair in self.changes().items()]
        return counts([each for each in pairs if any(e and e.kind != "directory" for e in each[1:])], self.bytes_of)

    def prune(self) -> None:
        """Delete every copy that is not needed to go back or forth."""
        if not self.folder.is_dir():
            return
        changes = self.changes()
        needed = {CALLS, *self._noted, *(entry.digest for pair in changes.values() for entry in pair if entry)}
        for copy in self.folder.iterdir():
            if copy.name == "watched.json" or (copy.suffix != ".json" and copy.name not in needed):
                copy.unlink()

    def write(self) -> None:
        """Write down what is known; `before` first, since `after` is read with it."""
        identity = self.identity and list(self.identity)
        about = {"working_directory": str(self.top), "identity": identity, "temporary": self.temporary}
        self._write("before.json", {**about, "entries": _all_plain(self.before)})
        sets = {"mixed": sorted(self.mixed), "unsure": sorted(self.unsure), "gaps": sorted(self.gaps)}
        paths = None if self.paths is None else sorted(self.paths)
        now = {"under_way": self.under_way, "paths": paths, "narrow": self.narrow, **sets}
        self._write("after.json", {**now, "changed": _all_plain(self.after)})

    def _write_watched(self) -> None:
        self._write("watched.json", {"entries": {path: _plain(entry) for path, entry in self.watched.items()}})

    def _write(self, name: str, data: Mapping[str, Any]) -> None:
        self.folder.mkdir(exist_ok=True, mode=0o700)
        temporary = self.folder / f"{name}.tmp"
        temporary.write_text(json.dumps({"format": FORMAT, **data}), encoding="ascii")
        temporary.replace(self.folder / name)


def _lines(path: Path) -> list[list[str]]:
    """What was announced; a line that a kill cut short stands for what was not begun."""
    with contextlib.suppress(FileNotFoundError):
        return [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    return []


def _all_plain(entries: Mapping[str, Entry | None]) -> dict[str, list[Any] | None]:
    return {path: entry and _plain(entry) for path, entry in entries.items()}


def _plain(entry: Entry) -> list[Any]:
    return [entry.kind, entry.mode, entry.digest, entry.owner]


def _entries(plain: Mapping[str, Any]) -> dict[str, Entry | None]:
    found: dict[str, Entry | None] = {}
    for path, entry in plain.items():
        found[path] = entry and Entry(entry[0], entry[1], entry[2], entry[3] and (entry[3][0], entry[3][1]))
    return found
