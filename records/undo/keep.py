"""Watching a run, so that it can be undone: what each call changed, and nothing that somebody else changed.

Before and after a tool writes a file, that file is looked at; before and after code runs, the whole directory, whose
files are copied into the run's folder as they are seen. What changes between two calls is the person's, and a tool does
not put a new text over it that the model made without knowing of it. A tool's root tells of each change before it is
made, so that also of a call that was killed the run's part is known. What changes while code runs may be either's:
nobody can tell, so it is marked, and undo leaves it unless it is told otherwise.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from agent.contracts import ToolCall, ToolResult
from agent.events import Asking, CallFinished, CallStarted, Event, Finished, Replied
from functions.tool import Catalogue
from records.undo.kept import A_TOOL, CODE, NOBODY_KNOWS, RETRACTED, SOMEBODYS, THE_RUNS, Kept
from records.undo.tree import (
    AVAILABLE,
    LONGEST_PATH,
    MOST_ENTRIES,
    NOT_KEPT,
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
GAPS = "What code changes in {} cannot be undone: too large or too deep to keep."
LARGE = "Undo cannot put back {}: too large to keep."


class Keeper:
    """A listener of a run. The tools wait for it: it hears of a call before the call does anything."""

    def __init__(self, folder: Path, root: Root, tell: Callable[[str], None], catalogue: Catalogue) -> None:
        """`folder` is the run's, `root` the working directory; `tell` hears once of what cannot be undone; `catalogue`
        knows which calls may change something, and what."""
        self.kept = Kept(folder, root.path, None)
        self._root, self._tell, self._catalogue = root, tell, catalogue
        self._works = AVAILABLE
        self._known: Tree = {}  # as last seen, whole
        self._asked = 0  # when the model was asked last: nanoseconds since 1970
        self._read: dict[str, Entry | None] = {}  # of the paths that calls named, as the model knows them
        self._expected: dict[str, Entry | None] = {}  # of those that the calls of this reply name, what it may replace
        self._told: set[str] = set()
        root.before_change, root.not_changed = self._announced, self._retracted

    def __call__(self, event: Event) -> None:
        with self._guarded():
            match event:
                case Asking():
                    self._asked = time.time_ns()
                case Replied():
                    self._expect(event.reply.calls)
                case CallStarted():
                    self._before(event.call)
                case CallFinished():
                    self._after(event.result)
                case Finished():
                    self._finished()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if self._works:
                why = error.strerror or error
                self._tell(f"The run goes on, but what it changes from here on cannot be undone: {why}.")
            self._works = False

    def _expect(self, calls: Sequence[ToolCall]) -> None:
        """What this reply may replace: what the model knows of its paths; of others what was there when it was asked.
        It thinks for as long as it takes, and then a person may be asked."""
        paths = {path for call in calls for path in touched_by(call, self._catalogue) or ()}
        seen = self._look(paths)[0] if paths and self._works else {}
        for path, entry in seen.items():
            if entry.kind == "file" and max(entry.stamp[-2:]) > self._asked > 0:
                seen[path] = Entry("file", entry.mode, NOT_KEPT)  # somebody has written it since
        self._expected = {path: self._read.get(path, seen.get(path)) for path in paths}

    def _before(self, call: ToolCall) -> None:
        paths = touched_by(call, self._catalogue)
        if self._works and paths != set():
            # A tool that changes files without a path for it may change several: all are looked at.
            by_code = paths is None and not self._catalogue[call.name].changes_files
            self.kept.begin(*self._look(paths), CODE if by_code else A_TOOL)
        elif self._works and (path := path_of(call, self._catalogue)):
            with suppress(OSError), closing(self._root.again()) as top:  # before: what comes later may not be read
                self._read[path] = look(top.fileno(), [path], known=self._read).get(path)

    def _after(self, result: ToolResult) -> None:
        if self._works and self.kept.under_way:
            by_code, announced, watched = self.kept.under_way == CODE, {*self.kept.announced}, self.kept.watched
            # A tool of another program announces nothing: what changed while it was at work is then its own.
            alone = result.ok and not announced
            seen = self._end(NOBODY_KNOWS if by_code else THE_RUNS if alone else SOMEBODYS)
            if by_code:
                self._expected.clear()
            if by_code or alone:
                self._read = {path: was for path, was in self._read.items() if watched.get(path) == seen.get(path)}
            else:  # of what was refused the model hears, too
                named = announced | {path_of(result.call, self._catalogue)} - {""}
                self._read |= {path: seen.get(path) for path in named}
                self._expected |= {path: seen.get(path) for path in self._expected.keys() & announced}
        self.kept.calls += 1

    def _end(self, otherwise: str) -> Tree:
        seen, self.kept.paths = self._look(self.kept.paths)
        self.kept.finish(seen, otherwise)
        return seen

    def over(self) -> bool:
        """No call is at work any more: one that was stopped has ended without a result. Returns whether all that was
        changed is known."""
        with self._guarded():
            if self._works and self.kept.under_way:
                self._end(NOBODY_KNOWS)
        return self._works and not self.kept.narrow

    def _finished(self) -> None:
        self.over()
        if not self._works:
            return
        self.kept.prune()
        if lost := [path for path, (old, _) in self.kept.changes().items() if old and not old.kept]:
            self._tell(LARGE.format(_named(lost)))
        if self.kept.narrow:
            self._tell(f"{GROWN if self._known else TOO_MANY} What is not covered is not in --diff either.")

    def _announced(
        self, path: str, kind: str, data: bytes = b"", held: Held | None = None, computed: bool = False
    ) -> None:
        """What is held is about to be replaced. It is kept as it is; and new bytes that are not made of it are not put
        in the place of what nobody expected there: a Refusal says so to the model."""
        if not self.kept.under_way or not self._works:
            return
        if held is not None:
            was = file_entry(held.status, held.data) if held.status else None
            if not computed and path not in self.kept.announced:  # else this very call has written it
                from records.undo.meanwhile import refuse_unexpected

                refuse_unexpected(self.kept, self._expected, path, was, held, "write to" if kind else "delete")
            with self._guarded():
                self._hold(path, was, held.data)
        with self._guarded():
            self.kept.announce(path, kind, data)

    def _retracted(self, path: str) -> None:
        if self.kept.under_way and self._works:
            with self._guarded():
                self.kept.announce(path, RETRACTED)

    def _hold(self, path: str, was: Entry | None, data: bytes | None) -> None:
        if was and was.kept and data is not None:
            self.kept.keep(data, was.digest)
        own = was and (was.kind, was.digest) in self.kept.announced.get(path, [])
        if was != self.kept.watched.get(path) and not own:
            from records.undo.meanwhile import found_changed

            found_changed(self.kept, path, was)

    def _look(self, paths: set[str] | None) -> tuple[Tree, set[str] | None]:
        """What is there now of these paths (None: of all), and of which paths that could be said."""
        with closing(self._root.again()) as top:
            self.kept.identity = self.kept.identity or identity_of(top.fileno())
            if paths is None and not self.kept.narrow:
                try:
                    self._known = scan(top.fileno(), self._known, self.kept.keep, self.kept.gaps)
                except TooLarge:
                    self.kept.narrow = True
            seen = self._known
            if paths is None and self.kept.narrow:
                paths = {*self.kept.after, *self._known}
                self._tell_once(GROWN if self._known else TOO_MANY)
            if paths is not None:
                seen = look(top.fileno(), paths, self.kept.keep, self._known | self._expected)
        self._tell_once(GAPS, self.kept.gaps)
        self._tell_once(LARGE, (path for path, entry in seen.items() if not entry.kept))
        return seen, paths

    def _tell_once(self, sentence: str, about: Iterable[str] = ("",)) -> None:
        """Tell the person, of the paths of which that was not told yet."""
        new = sorted(path for path in about if f"{sentence}{path}" not in self._told)
        self._told |= {f"{sentence}{path}" for path in new}
        if new:
            self._tell(sentence.format(_named(new)))


def touched_by(call: ToolCall, catalogue: Catalogue) -> set[str] | None:
    """Which paths a call can change, with the folders on the way; None for any, as with a call that runs code."""
    if catalogue.reads_only(call):
        return set()
    tool = catalogue[call.name]
    if not (tool.changes_files and tool.path):
        return None if tool.changes_files or tool.resource in ("root", "", "caller") else set()
    path = path_of(call, catalogue)
    return with_folders([path]) if path else set()


def path_of(call: ToolCall, catalogue: Catalogue) -> str:
    """The path that a call is about; "" where it names none, or none that can be in the directory."""
    tool = catalogue.get(call.name)
    path = tool.path_in(call.readable) if tool and tool.path else ""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    is_outside = path.startswith(("/", "~")) or ".." in parts or len(path) > LONGEST_PATH
    return "" if is_outside else "/".join(parts)


def _named(paths: list[str]) -> str:
    more = len(paths) - 3
    return ", ".join(repr(path)[:200] for path in paths[:3]) + (f" and {more} more" if more > 0 else "")
