"""What in the working directory some other program would run or read later, outside; and what is done about it.

To the kernel a `.git` with hooks, or a settings folder of an editor, is plain files; to the next program that comes by
it is code (githooks(5); safe.directory and core.fsmonitor in git-config(1)). Names with a meaning are in
sandbox/files/planted.py. Beside them stands a rule: what is new and no plain file is moved aside; what is new and
hidden, executable or binary is told. A repository that was there stays as it was. What was made or changed between the
look before and the look after counts, whoever did it. look.py hands over the folders in which there is anything.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sandbox.files.directory import Identity, identity_of, stamp_of
from sandbox.files.off_limits import is_repository, kind_of
from sandbox.files.planted import ASIDE, BARE, BY_CODE, CACHE, ENVIRONMENTS, HOOKS, PACKAGES, REPOSITORY, TOLD
from sandbox.files.unusual import shown
from sandbox.running import repositories
from sandbox.running.aside import Aside
from sandbox.running.leads import led_to
from sandbox.running.links import MOST_MOUNTS, Links
from sandbox.running.repositories import Repository

if TYPE_CHECKING:
    from sandbox.running.look import Before

_LEFT = "left"
_SHOWN = 5  # paths in one sentence
_GUARDED_ERRORS = (os.strerror(errno.EROFS), os.strerror(errno.EBUSY))
GUARDED = (
    "Code cannot change repositories, installed packages (virtual environments, node_modules), and files that have "
    "another name outside the working directory (hard links)."
)

Parts = tuple[str, ...]
Entries = list[os.DirEntry[str]]


class Why(NamedTuple):
    """Why a file counts. `folder`: so does all that is inside."""

    promise: str
    run_by: str
    folder: bool = False


_PACKAGES = Why(TOLD, "whoever uses these installed packages", folder=True)
_NO_FILE = Why(ASIDE, "whoever opens it (a link or no plain file)")
_BY_RULE = ("no plain file", "hidden", "executable", "unreadable", "binary")


class Quarantine:
    """One run's: what the look before met that is not plain, and what the look after did."""

    def __init__(self, before: Before) -> None:
        self._before = before
        self._links, self._shared = Links(before.mounts), 0
        self._repositories: list[Repository] = []
        self._now: dict[Identity, Repository] = {}
        self._marks: dict[Parts, Why] = {}
        self._levels: list[Why | None] = []  # of the folder that is looked at and those above it
        self._done: dict[tuple[str, Why], list[Parts]] = {}
        self._by_rule: dict[tuple[str, str], dict[Parts, None]] = {}
        self._aside: Aside | None = None

    # before the run

    def note_settings(self, top: str, where: str) -> None:
        """The repository at `top` lies above the working directory, around it, or in it."""
        for path in led_to(top, where):
            if ".git" not in path:
                self._marks[path] = Why(HOOKS.promise, HOOKS.run_by, folder=True)

    def remember(self, path: Parts, here: int, entries: Entries, where: str) -> None:
        """A folder with something in it that is not plain. What is not to be looked into leaves `entries`."""
        inside = {entry.name for entry in entries}
        if is_bare_repository(inside):
            self._before.closed.add(identity_of(os.fstat(here)))
            if path:
                self._remember_repository(path, here, ".", os.fstat(here))
                entries.clear()
                return
        if path and (inside & ENVIRONMENTS or path[-1] == PACKAGES):
            if self._before.mounts:
                self._before.closed.add(identity_of(os.fstat(here)))
                self._before.guarded.append("/".join(path))
                entries.clear()
                return
            self._marks[path] = _PACKAGES
        for entry in list(entries):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if kind_of(entry.name) is REPOSITORY and not entry.is_symlink():
                    self.note_settings(os.path.join(where, *path), where)
                    self._remember_repository((*path, entry.name), here, entry.name, status)
                    entries.remove(entry)
                elif stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                    self._links.add((*path, entry.name), status)

    def _remember_repository(self, path: Parts, here: int, name: str, status: os.stat_result) -> None:
        self._before.guarded.append("/".join(path))
        if not self._before.mounts:
            self._repositories.append(repositories.remember(path, here, name, status, self._links))
            status = os.stat(name, dir_fd=here, follow_symlinks=False)
        self._before.closed.add(identity_of(status))

    def hold_links(self, top: int) -> None:
        """At the end of the look before: no file leads outside, as far as can be."""
        repositories.begin_again(self._repositories)
        if self._before.mounts:
            outside = ["/".join(path) for path, _ in self._links.outside()]
            self._before.guarded += outside[:MOST_MOUNTS]
            self._shared = len(outside[MOST_MOUNTS:])
        else:
            for status in self._links.separate(top):
                self._before.stamps[identity_of(status)] = stamp_of(status)
            self._shared = self._links.left

    # after the run

    def judge(self, path: Parts, here: int, entries: Entries, new: dict[str, str | None], into: Path | None) -> None:
        """A folder in which something is new or changed: names, each with what the rule says of it. What was moved
        aside leaves `entries`."""
        self._aside = self._aside or Aside(into)
        inside = {entry.name for entry in entries}
        known = identity_of(os.fstat(here)) in self._before.stamps
        if is_bare_repository(inside) and identity_of(os.fstat(here)) not in self._before.closed:
            self._act(Why(ASIDE, BARE.run_by), (*path, "HEAD"), here, "HEAD")
            new.pop("HEAD", None)
        if path and not known and (inside & ENVIRONMENTS or path[-1] == PACKAGES):
            self._done.setdefault((TOLD, _PACKAGES), []).append(path)
        mark = self._mark(path)
        for entry in list(entries):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if identity_of(status) in self._before.closed:
                    self._see_again(path, here, entry, status)
                elif entry.name in new:
                    self._judge_entry(path, here, entry, status, mark, entries, new[entry.name])

    def _see_again(self, path: Parts, here: int, entry: os.DirEntry[str], status: os.stat_result) -> None:
        """A repository that was there, wherever it is now."""
        for repository in () if self._before.mounts else self._repositories:
            if repository.identity == identity_of(status):
                remembered = repositories.remember((*path, entry.name), here, entry.name, status)
                self._now[repository.identity] = remembered

    def _judge_entry(
        self,
        path: Parts,
        here: int,
        entry: os.DirEntry[str],
        status: os.stat_result,
        mark: Why | None,
        entries: Entries,
        what: str | None,
    ) -> None:
        there, known = (*path, entry.name), identity_of(status) in self._before.stamps
        kind = kind_of(entry.name)
        why = Why(kind.promise, kind.run_by, kind.folder or kind is REPOSITORY) if kind else None
        why = why or mark or self._marks.get(there)
        is_folder = stat.S_ISDIR(status.st_mode)
        if not is_folder and not stat.S_ISREG(status.st_mode):
            why = why if why and why.promise == ASIDE else _NO_FILE
        if why is None or (is_folder and not why.folder):
            self._note_by_rule(there, what, known)
        elif why.promise == CACHE or (why.promise in (ASIDE, BY_CODE) and not known):
            entries.remove(entry)
            self._act(why, there, here, entry.name)
        elif not is_folder:
            self._done.setdefault((TOLD, why), []).append(there)

    def _mark(self, path: Parts) -> Why | None:
        """What makes everything in a folder count: a name above, or where settings lead."""
        del self._levels[len(path) :]
        while len(self._levels) <= len(path):
            depth = len(self._levels)
            above = self._levels[-1] if depth else None
            self._levels.append(above or self._own_mark(path[:depth]))
        return self._levels[-1]

    def _own_mark(self, path: Parts) -> Why | None:
        kind = kind_of(path[-1]) if path else None
        return Why(kind.promise, kind.run_by, folder=True) if kind and kind.folder else self._marks.get(path)

    def _note_by_rule(self, there: Parts, what: str | None, known: bool) -> None:
        hidden = next((depth for depth, part in enumerate(there, 1) if part.startswith(".")), 0)
        if hidden and not known:
            what, there = "hidden", there[:hidden]
        if what is None or (known and what == "binary"):  # data that a program keeps
            return
        self._by_rule.setdefault((what, "changed" if known else "made"), {})[there] = None

    def _act(self, why: Why, there: Parts, here: int, name: str) -> None:
        """Move it aside, or say that it could not be."""
        assert self._aside
        what = ASIDE
        try:
            self._aside.take(there, here, name)
        except OSError:
            what = _LEFT
        self._done.setdefault((what, why), []).append(there)

    # what is said

    def told(self, top: int, into: Path | None) -> list[str]:
        """Put repositories back; everything that was found as sentences, what matters most first."""
        aside = self._aside or Aside(into)
        said = [_sentence(what, why, paths) for (what, why), paths in sorted(self._done.items(), key=_importance)]
        for word in _BY_RULE:
            for did in ("made", "changed"):
                if paths := self._by_rule.get((word, did)):
                    said.append(f"{did.title()} while the code ran, and {word}: {_some(list(paths))}.")
        for repository in self._repositories:
            said += _restore(top, repository, self._now.get(repository.identity), aside)
        if self._shared:
            said.append(
                f"{self._shared} files here have another name outside: code could change them there (hard links)."
            )
        return said


def is_bare_repository(names: set[str]) -> bool:
    """Whether git would take a folder with these names in it for a repository. gitrepository-layout(5)"""
    plain = {name.casefold() for name in names if len(name) < 10}
    return "head" in plain and ("commondir" in plain or {"objects", "refs"} <= plain)


def why_it_failed(stderr: str) -> list[str]:
    """A program that failed on what no code may change is told so: the system's own words would mislead it."""
    return [GUARDED] if any(words in stderr for words in _GUARDED_ERRORS) else []


def _importance(done: tuple[tuple[str, Why], list[Parts]]) -> int:
    return (_LEFT, ASIDE, TOLD).index(done[0][0])


def _sentence(what: str, why: Why, paths: Sequence[Parts]) -> str:
    names = _some(paths)
    if what == TOLD:
        return (
            f"Made or changed while the code ran: {names}. It is run by {why.run_by}, outside the sandbox too: "
            "read it first."
        )
    begin = f"Made while the code ran: {names}. It would be run by {why.run_by}, outside the sandbox;"
    return f"{begin} it {'was moved aside' if what == ASIDE else 'could not be moved aside, so delete it'}."


def _restore(top: int, was: Repository, now: Repository | None, aside: Aside) -> list[str]:
    """Where a repository cannot be made read-only: it is put back as it was."""
    if now is None:
        now = Repository(was.where, was.identity)
    if now.where[-1:] != was.where[-1:] and is_repository(was.where[-1]):
        with suppress(OSError):
            repositories.bring_back(top, now.where, was.where)
            now.where = was.where
    lost, new = repositories.changes(was, now)
    stands_in = repositories.stands_in(was, now, lost)
    new = [parts for parts in new if parts not in stands_in]
    for parts in new:
        with suppress(OSError):
            folder = repositories.make_way(top, (now.where + parts)[:-1])
            try:
                aside.take(now.where + parts, folder, (now.where + parts)[-1])
            finally:
                os.close(folder)
    failed = repositories.put_back(top, was, now.where, lost)
    back = [now.where + parts for parts in [*new, *lost] if parts not in failed]
    told = [f"Changed while the code ran, and put back as it was: {_some(back)}."] if back else []
    failed = [now.where + parts for parts in failed]
    return told + ([f"Changed while the code ran, and too large to put back: {_some(failed)}."] if failed else [])


def _some(paths: Sequence[Parts]) -> str:
    names = ", ".join(f'"{shown("/".join(path))}"' for path in paths[:_SHOWN])
    return names + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")
