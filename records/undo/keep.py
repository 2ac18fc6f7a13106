"""Watching a run, so that it can be undone: what each call changed, and nothing that somebody else changed.

Before and after a tool writes a file, that file is looked at; before and after code runs, the whole directory, whose
files are copied into the run's folder as they are seen. What changes between two calls is the person's. A tool's root
tells of each change before it is made, so that also of a call that was killed the run's part is known. What changes
while code runs may be either's: nobody can tell, so it is marked, and undo leaves it unless it is told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent.contracts import ToolCall, ToolResult
from agent.run import Event
from functions.tool import Catalogue
from records.undo.kept import A_TOOL, CODE, NOBODY_KNOWS, Kept
from records.undo.place import identity_of
from records.undo.tree import AVAILABLE, MOST_ENTRIES, TooLarge, Tree, look, scan, with_folders
from sandbox.files.root import Root

TOO_MANY = f"This directory holds more than {MOST_ENTRIES:,} files: undo does not cover what code changes here."
GROWN = f"Code made more than {MOST_ENTRIES:,} files here: undo covers those that were there before, not the new ones."


class Keeper:
    """A listener of a run. The tools wait for it: it hears of a call before the call does anything."""

    def __init__(self, folder: Path, root: Root, tell: Callable[[str], None], catalogue: Catalogue) -> None:
        """`folder` is the run's, `root` the working directory; `tell` hears once of what cannot be undone; `catalogue`
        knows which calls may change something, and what."""
        self.kept = Kept(folder, root.path, None)
        self._root, self._tell, self._catalogue = root, tell, catalogue
        self._known: Tree = {}  # as last seen, whole
        self._works = AVAILABLE
        self._told: set[str] = set()
        self._ran_code = False
        root.before_change = self._announced

    def __call__(self, event: Event) -> None:
        if event.kind == "call_started":
            self._guarded(self._before, event.data["call"])
        elif event.kind == "call_finished":
            self._guarded(self._after, event.data["result"])
            self.kept.calls += 1
        elif event.kind == "finished":
            self._guarded(self._finished)

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
        paths = reach(call, self._catalogue)
        if paths is not None and not paths:
            return
        tool = self._catalogue.get(call.name)
        # A tool that changes files without a path for it may change several: all are looked at.
        by_code = paths is None and not (tool and tool.changes_files)
        self._ran_code = self._ran_code or by_code
        seen, seen_of = self._look(paths)
        self.kept.begin(seen, seen_of, CODE if by_code else A_TOOL)

    def _after(self, result: ToolResult) -> None:
        if not self.kept.under_way:
            return
        seen, self.kept.paths = self._look(self.kept.paths)
        self.kept.finish(seen, ok=result.ok)

    def _finished(self) -> None:
        if self.kept.under_way:  # Ctrl-C came, and the call has ended without a result
            seen, self.kept.paths = self._look(self.kept.paths)
            self.kept.settle(seen, NOBODY_KNOWS)
            self.kept.write()
        self.kept.prune()
        lost = [path for path, (old, _) in self.kept.changes().items() if old and not old.kept]
        if lost:
            self._tell(f"Undo cannot put back {_named(lost)}: too large to keep.")
        if self._ran_code and self.kept.narrow:
            self._tell(f"{self._too_many} What is not covered is not in --diff either.")

    def _announced(self, path: str, kind: str, data: bytes) -> None:
        if self.kept.under_way:
            self._guarded(self.kept.announce, path, kind, data)

    def _look(self, paths: set[str] | None) -> tuple[Tree, set[str] | None]:
        """What is there now of these paths (None: of all), and of which paths that could be said."""
        top = self._root.again()
        try:
            self.kept.identity = self.kept.identity or identity_of(top.fileno())
            if paths is None and not self.kept.narrow:
                try:
                    self._known = scan(top.fileno(), self._known, self.kept.keep, self.kept.gaps)
                except TooLarge:
                    self.kept.narrow = True
                else:
                    self._tell_of_gaps()
                    return self._known, None
            if paths is None:
                self._tell_once(self._too_many)
                paths = {*self.kept.after, *self._known}
            return look(top.fileno(), sorted(paths), self.kept.keep, self._known), paths
        finally:
            top.close()

    @property
    def _too_many(self) -> str:
        return GROWN if self._known else TOO_MANY

    def _tell_of_gaps(self) -> None:
        new = sorted(self.kept.gaps - self._told)
        self._told |= self.kept.gaps
        if new:
            self._tell(f"What code changes in {_named(new)} cannot be undone: too large or too deep to keep.")
        large = sorted(path for path, entry in self._known.items() if not entry.kept and path not in self._told)
        self._told |= set(large)
        if large:
            self._tell(f"Undo cannot put back {_named(large)}: too large to keep.")

    def _tell_once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._tell(text)


def reach(call: ToolCall, catalogue: Catalogue) -> set[str] | None:
    """Which paths a call can change, with the folders on the way; None for any, as with a call that runs code."""
    if catalogue.reads_only(call):
        return set()
    tool = catalogue[call.name]
    if not (tool.changes_files and tool.path):
        return None if tool.changes_files or tool.resource in ("root", "") else set()
    path = tool.path_in(call.readable)
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith(("/", "~")) or ".." in parts or not parts:
        return set()
    return with_folders(["/".join(parts)])


def _named(paths: list[str]) -> str:
    more = len(paths) - 3
    return ", ".join(repr(path)[:200] for path in paths[:3]) + (f" and {more} more" if more > 0 else "")
