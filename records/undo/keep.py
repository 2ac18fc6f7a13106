"""Watching a run, so that it can be undone: what each call changed, and nothing that somebody else changed.

Before and after a tool writes a file, that file is looked at; before and after code runs, the whole directory, whose
files are copied into the run's folder as they are seen. What changes between two calls is the person's. A tool's root
tells of each change before it is made, so that also of a call that was killed the run's part is known. What changes
while code runs may be either's: nobody can tell, so it is marked, and undo leaves it unless it is told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agent.contracts import ToolCall, ToolResult
from agent.run import Event
from functions.tool import Catalogue
from records.undo.kept import A_TOOL, CODE, NOBODY_KNOWS, Kept
from records.undo.tree import (
    AVAILABLE,
    MOST_ENTRIES,
    Entry,
    TooLarge,
    Tree,
    file_entry,
    identity_of,
    look,
    scan,
    with_folders,
)
from sandbox.files.replace import Held
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
        self._expected: Tree = {}  # what was there of the paths that the calls of this reply name, when it came
        self._asked_for: set[str] = set()  # these paths
        root.before_change, root.not_changed = self._announced, self._retracted

    def __call__(self, event: Event) -> None:
        if event.kind == "replied":
            self._guarded(self._expect, event.data["reply"].calls)
        elif event.kind == "call_started":
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

    def _expect(self, calls: Sequence[ToolCall]) -> None:
        """A person may be asked now, for as long as it takes: what is there is what this reply may change."""
        paths = [reach(call, self._catalogue) for call in calls]
        self._asked_for = {path for each in paths for path in each or ()}
        self._expected = self._look(self._asked_for)[0] if self._asked_for else {}

    def _before(self, call: ToolCall) -> None:
        paths = reach(call, self._catalogue)
        if paths is not None and not paths:
            return
        tool = self._catalogue.get(call.name)
        # A tool that changes files without a path for it may change several: all are looked at.
        by_code = paths is None and not (tool and tool.changes_files)
        self._ran_code = self._ran_code or by_code
        seen, seen_of = self._look(paths)
        self._tell_of_large({path: entry for path, entry in seen.items() if paths and path in paths})
        self.kept.begin(seen, seen_of, CODE if by_code else A_TOOL)

    def _after(self, result: ToolResult) -> None:
        if not self.kept.under_way:
            return
        by_code, announced = self.kept.under_way == CODE, list(self.kept.announced)
        seen, self.kept.paths = self._look(self.kept.paths)
        self.kept.finish(seen, ok=result.ok)
        if by_code:
            self._asked_for.clear()
        for path in self._asked_for.intersection(announced):
            self._expected.pop(path, None)
            self._expected |= {path: seen[path]} if path in seen else {}

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

    def _announced(
        self, path: str, kind: str, data: bytes = b"", held: Held | None = None, computed: bool = False
    ) -> None:
        """What is held is about to be replaced. It is kept as it is; and new bytes that are not made of it are not put
        in the place of what nobody expected there: a Refusal says so to the model."""
        if not self.kept.under_way or not self._works:
            return
        if held is not None:
            was = file_entry(held.status, held.data) if held.status else None
            if not computed:
                self._refuse_unexpected(path, was, held, "write to" if kind else "delete")
            if was and held.data is not None and was.kept:
                self._guarded(self.kept.keep, held.data, was.digest)
            self._guarded(self.kept.found, path, was)
        self._guarded(self.kept.announce, path, kind, data)

    def _retracted(self, path: str) -> None:
        if self.kept.under_way:
            self._guarded(self.kept.retract, path)

    def _refuse_unexpected(self, path: str, was: Entry | None, held: Held, verb: str) -> None:
        if path in self.kept.announced:  # this very call has written it
            return
        expected = (self._expected if path in self._asked_for else self.kept.watched).get(path)
        same = was.stamp == expected.stamp or was.digest == expected.digest if was and expected else was == expected
        if same:
            return
        if path in self._asked_for or self.kept.paths is None or path in self.kept.paths:
            from records.undo.meanwhile import changed_meanwhile

            before = self.kept.bytes_of(expected.digest) if expected and expected.kept else None
            raise changed_meanwhile(verb, path, before, held.data, was_there=expected is not None)

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
            return look(top.fileno(), sorted(paths), self.kept.keep, {**self._known, **self._expected}), paths
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
        self._tell_of_large(self._known)

    def _tell_of_large(self, seen: Tree) -> None:
        large = sorted(path for path, entry in seen.items() if not entry.kept and path not in self._told)
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
