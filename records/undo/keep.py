"""Keeping what a run is about to change, so that it can be undone.

Before the first call that writes or runs code, the working directory's files are copied into the run's folder; after
each such call the directory is looked at again. So it is known what the calls changed, whatever code they ran, and what
the person changed in between, which is none of the run's business. When the run ends, the copies of what it did not
change are deleted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agent.contracts import ToolCall
from agent.run import Event
from config import ConfigError
from functions.tool import Catalogue
from records.undo.tree import AVAILABLE, Entry, TooLarge, Tree, look, scan

FORMAT = 1


class Keeper:
    """A listener of a run. The tools wait for it: it hears of a call before the call does anything."""

    def __init__(self, folder: Path, top: Path, tell: Callable[[str], None], catalogue: Catalogue) -> None:
        """`folder` is the run's, `top` the working directory; `tell` hears once of what cannot be undone; `catalogue`
        knows which calls may change something, and what."""
        self.kept = Kept(folder, top)
        self._tell, self._catalogue = tell, catalogue
        self._known: Tree | None = None
        self._paths: list[str] = []
        self._narrow = False  # the directory is too large to watch: only what the tools write is kept
        self._works = AVAILABLE
        self._under_way = False

    def __call__(self, event: Event) -> None:
        if event.kind == "call_started" and not self._catalogue.reads_only(event.data["call"]):
            self._guarded(self._before, event.data["call"])
        elif event.kind == "call_finished" and not self._catalogue.reads_only(event.data["result"].call):
            self._guarded(self._after)
        elif event.kind == "finished":
            self._guarded(self._after)
            self._guarded(self.kept.prune)

    def _guarded(self, action: Callable[..., None], *arguments: Any) -> None:
        if not self._works:
            return
        try:
            action(*arguments)
        except OSError as error:
            self._works = False
            self._tell(
                f"The run goes on, but what it changes from here on cannot be undone: {error.strerror or error}."
            )

    def _before(self, call: ToolCall) -> None:
        now = self._look(call)
        if self._known is None:
            self.kept.begin(now, self._narrow)
        else:
            # What differs now was changed by the person, between two calls (or is looked at for the first time).
            for path in differences(self._known, now):
                self.kept.changed_by_person(path, now.get(path))
        self._known = now
        self._under_way = True
        self.kept.write_after(under_way=True)

    def _after(self) -> None:
        if not self._under_way:
            return
        now = self._look(None)
        for path in differences(self._known or {}, now):
            self.kept.after[path] = now.get(path)
        self._known = now
        self._under_way = False
        self.kept.write_after(under_way=False)

    def _look(self, call: ToolCall | None) -> Tree:
        if call:
            self._paths += written_path(call, self._catalogue)
        if not self._narrow:
            try:
                return scan(self.kept.top, self._known, self.kept.keep)
            except TooLarge:
                self._go_narrow()
        return look(self.kept.top, self._paths, self.kept.keep)

    def _go_narrow(self) -> None:
        self._narrow = self.kept.narrow = True
        if self._known is not None:
            seen = look(self.kept.top, self._paths)
            self._known = {path: entry for path, entry in self._known.items() if path in seen or path in self._paths}
        self._tell(
            "This directory holds very many files: undo will cover what the tools write, but not what code changes."
        )


def written_path(call: ToolCall, catalogue: Catalogue) -> list[str]:
    """The path that a call is about to write, if it is a plain one below the working directory."""
    tool = catalogue.get(call.name)
    path = tool.path_in(call.readable) if tool and tool.changes_files else ""
    if not path or path.startswith(("/", "~")) or ".." in path.split("/"):
        return []
    return ["/".join(part for part in path.split("/") if part not in ("", "."))]


def differences(left: Mapping[str, Entry], right: Mapping[str, Entry]) -> list[str]:
    return sorted(path for path in left.keys() | right.keys() if left.get(path) != right.get(path))


class Kept:
    """What is kept of a run: `before`, the entries as they were; `after`, those that the run changed, as it left them
    (None: gone); `mixed`, the paths that both the run and the person changed while it ran."""

    def __init__(self, folder: Path, top: Path) -> None:
        self.folder, self.top = folder / "kept", top
        self.before: Tree = {}
        self.after: dict[str, Entry | None] = {}
        self.mixed: set[str] = set()
        self.narrow = False
        self.under_way = False

    @classmethod
    def load(cls, folder: Path) -> Kept | None:
        """Read what is kept of a run; None when it changed nothing. Raises ConfigError when that cannot be read."""
        try:
            before = json.loads((folder / "kept" / "before.json").read_bytes())
            after = json.loads((folder / "kept" / "after.json").read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ConfigError(f"what was kept of {folder.name} cannot be read ({error}).") from None
        kept = cls(folder, Path(before["working_directory"]))
        kept.before = {path: Entry(*entry) for path, entry in before["entries"].items()}
        kept.after = {path: entry and Entry(*entry) for path, entry in after["changed"].items()}
        kept.mixed, kept.narrow, kept.under_way = set(after["mixed"]), before["narrow"], after["under_way"]
        return kept

    def begin(self, now: Tree, narrow: bool) -> None:
        self.before, self.narrow = dict(now), narrow
        self._write_before()

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

    def changed_by_person(self, path: str, now: Entry | None) -> None:
        if path in self.after:
            self.mixed.add(path)
            self.after[path] = now
            return
        self.before.pop(path, None)
        if now:
            self.before[path] = now
        self._write_before()

    def write_after(self, *, under_way: bool) -> None:
        """Write down what the run changed so far, and whether a call is at work right now."""
        self.under_way = under_way
        changed = {path: entry and _plain(entry) for path, entry in self.after.items()}
        self._write("after.json", {"under_way": under_way, "changed": changed, "mixed": sorted(self.mixed)})

    def changes(self) -> dict[str, tuple[Entry | None, Entry | None]]:
        """What the run changed: each path with what it was and what it is."""
        pairs = {path: (self.before.get(path), self.after[path]) for path in sorted(self.after)}
        return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}

    def counts(self) -> list[tuple[str, int, int]]:
        """Each changed file with how many lines were added and removed."""
        from records.undo.patch import counts

        pairs = {path: pair for path, pair in self.changes().items() if any(e and e.kind != "directory" for e in pair)}
        return [(path, *counts(pair, self.bytes_of)) for path, pair in pairs.items()]

    def prune(self) -> None:
        """Delete every copy that is not needed to go back or forth."""
        if not self.folder.is_dir():
            return
        changes = self.changes()
        needed = {entry.digest for pair in changes.values() for entry in pair if entry}
        if not self.narrow:
            self.before = {path: pair[0] for path, pair in changes.items() if pair[0]}
            self._write_before()
        for copy in self.folder.iterdir():
            if copy.suffix != ".json" and copy.name not in needed:
                copy.unlink()

    def _write_before(self) -> None:
        entries = {path: _plain(entry) for path, entry in self.before.items()}
        self._write("before.json", {"working_directory": str(self.top), "narrow": self.narrow, "entries": entries})

    def _write(self, name: str, data: Mapping[str, Any]) -> None:
        self.folder.mkdir(exist_ok=True, mode=0o700)
        temporary = self.folder / f"{name}.tmp"
        temporary.write_text(json.dumps({"format": FORMAT, **data}), encoding="ascii")
        temporary.replace(self.folder / name)


def _plain(entry: Entry) -> list[Any]:
    return [entry.kind, entry.mode, entry.digest]
