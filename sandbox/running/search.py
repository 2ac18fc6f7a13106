"""Looking through the working directory for the names of sandbox/files/planted.py, by descriptor, all of it."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from sandbox.files.below import Identity, folders, identity_of
from sandbox.files.planted import BARE, HOOKS, REPOSITORY, Kind, is_bare_repository, kind_of
from sandbox.running.links import Links

PACKAGES = "node_modules"  # what others installed; a virtual environment is known by the file in it
_ENVIRONMENT = "pyvenv.cfg"
_LEADS_TO_HOOKS = re.compile(rb"^\s*hooksPath\s*=\s*\"?([^\"\n;#]+)", re.MULTILINE | re.IGNORECASE)
_MOST_SETTINGS = 2**20  # bytes of a repository's settings that are read

Parts = tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A name of the table. `name` is it in the directory `folder`, whose descriptor is good until the next step."""

    kind: Kind
    path: Parts
    folder: int
    name: str
    status: os.stat_result
    leave_out: Callable[[], None]  # call it, and what is below is not looked into

    @property
    def identity(self) -> Identity:
        return identity_of(self.status)

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.status.st_mode)


@dataclass
class Search:
    """What two looks share: the first notes what the second leaves out or needs.

    closed: installed packages, which are not looked into, because mounts keep them as they are. hooks: where settings
    of repositories lead. links: files with several names (noted by the first look only)."""

    mounts: bool
    closed: dict[Identity, Parts] = field(default_factory=dict)
    hooks: set[Parts] = field(default_factory=set)
    links: Links = field(default_factory=Links)

    def found(self, top: int, *, first: bool) -> Iterator[Found]:
        """Every name of the table below `top`. Never looks into repositories, never follows a link. OSError when
        directories were moved meanwhile."""
        marks: list[Kind | None] = []  # for each level the kind of folder that it lies in
        for names, here, entries in folders(top):
            path = tuple(names)
            del marks[len(path) :]
            marks.append(self._mark(path, marks[-1] if marks else None))
            inside = {entry.name for entry in entries}
            if self._is_closed(path, here, inside, first):
                entries.clear()
                continue
            if is_bare_repository(inside):
                yield Found(BARE, path, here, ".", os.fstat(here), entries.clear)
            for entry in list(entries):
                yield from self._look_at(entry, path, here, marks[-1], entries, first)

    def _look_at(
        self, entry: os.DirEntry[str], path: Parts, here: int, mark: Kind | None, entries: list, first: bool
    ) -> Iterator[Found]:
        kind = kind_of(entry.name) or mark
        if kind is None and not first:
            return
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return
        if kind is REPOSITORY:
            self._note_hooks(path, here, entry.name)
            _take_out(entry, entries)
        if kind and (kind is REPOSITORY or kind.folder or not stat.S_ISDIR(status.st_mode)):
            yield Found(kind, (*path, entry.name), here, entry.name, status, lambda: _take_out(entry, entries))
        if first and stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            self.links.add((*path, entry.name), status)

    def _mark(self, path: Parts, above: Kind | None) -> Kind | None:
        if above or not path:
            return above
        if path in self.hooks:
            return HOOKS
        kind = kind_of(path[-1])
        return kind if kind and kind.folder else None

    def _is_closed(self, path: Parts, here: int, inside: set[str], first: bool) -> bool:
        if not self.mounts or not path or not (_ENVIRONMENT in inside or path[-1] == PACKAGES):
            return False
        identity = identity_of(os.fstat(here))
        if first:
            self.closed[identity] = path
        return identity in self.closed

    def _note_hooks(self, path: Parts, here: int, repository: str) -> None:
        for settings in ("config", "config.worktree"):
            with suppress(OSError):
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
                with open(os.open(f"{repository}/{settings}", flags, dir_fd=here), "rb") as file:
                    for value in _LEADS_TO_HOOKS.findall(file.read(_MOST_SETTINGS)):
                        parts = os.path.normpath(os.fsdecode(value.strip())).split(os.sep)
                        self.hooks.add((*path, *parts))


def _take_out(entry: os.DirEntry[str], entries: list) -> None:
    with suppress(ValueError):
        entries.remove(entry)
