"""After a run of code: what did it leave behind that some other program would run later, outside?

A wall holds a process, not the person's tools. A `.git` with hooks, or a settings folder of an editor, is plain files
to the kernel, and code to the next program that comes by (githooks(5); safe.directory and core.fsmonitor in
git-config(1)). The table of names is sandbox/files/planted.py. What is new is moved aside, never deleted; a repository
that was there stays as it was; all of it is told to the model and to the person. What was made or changed between the
look before and the look after counts, whoever did it.
"""

import errno
import os
import secrets
import shutil
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.files.below import Identity, enter
from sandbox.files.names import is_repository
from sandbox.files.planted import ASIDE, BARE, CACHE, REPOSITORY, TOLD, Kind
from sandbox.files.refusal import shown
from sandbox.running import repositories, temporary
from sandbox.running.links import MOST_MOUNTS
from sandbox.running.repositories import Repository, Stamp, stamp_of
from sandbox.running.search import Found, Parts, Search

AVAILABLE = os.scandir in os.supports_fd and os.open in os.supports_dir_fd  # not on Windows, where nothing is promised
_LEFT = "left"
_SHOWN = 5  # paths in one sentence

place: Path | None = None  # where found ones go; the agent says: a folder of the run. None: a temporary directory


@dataclass
class Before:
    """What was there before the run. `guarded`: paths that no code may change, where mounts can be read-only.
    `shared`: how many files have another name outside and are not held."""

    search: Search
    identities: set[Identity] = field(default_factory=set)
    stamps: set[Stamp] = field(default_factory=set)
    repositories: list[Repository] = field(default_factory=list)
    guarded: list[str] = field(default_factory=list)
    shared: int = 0


def look(top: int, *, mounts: bool) -> Before:
    """Look through the directory `top` before a run. `mounts`: whether what is `guarded` will be mounted read-only."""
    before = Before(Search(mounts))
    if not AVAILABLE:
        return before
    for found in before.search.found(top, first=True):
        before.identities.add(found.identity)
        before.stamps.add(stamp_of(found.status))
        if found.kind in (REPOSITORY, BARE) and found.path and not stat.S_ISLNK(found.status.st_mode):
            found.leave_out()
            before.guarded.append("/".join(found.path))
            if not mounts:
                before.repositories.append(repositories.remember(found.path, found.folder, found.name, found.status))
    repositories.begin_again(before.repositories)
    before.guarded += map("/".join, before.search.closed.values())
    _hold_links(top, before)
    return before


def _hold_links(top: int, before: Before) -> None:
    if not before.search.mounts:
        before.shared = before.search.links.separate(top)
        return
    outside = ["/".join(path) for path, _ in before.search.links.outside()]
    before.guarded += outside[:MOST_MOUNTS]
    before.shared = len(outside[MOST_MOUNTS:])


def check(top: int, before: Before, into: Path | None = None) -> list[str]:
    """Move aside what is new, put back what was changed inside a repository. Sentences for the model and the person."""
    if not AVAILABLE:
        return []
    done: dict[tuple[str, Kind], list[Parts]] = {}
    now: dict[Identity, Repository] = {}
    told = []
    try:
        for found in before.search.found(top, first=False):
            if found.kind in (REPOSITORY, BARE) and found.identity in before.identities:
                if found.path:
                    found.leave_out()
                if not before.search.mounts:
                    now[found.identity] = repositories.remember(found.path, found.folder, found.name, found.status)
            elif what := _judge(found, before):
                done.setdefault((_act(what, found, into), found.kind), []).append(found.path)
    except OSError as error:
        told.append(f"Not all of the working directory could be looked through: {error.strerror or error}.")
    told += [_sentence(what, kind, paths) for (what, kind), paths in done.items()]
    for repository in before.repositories:
        told += _restore(top, repository, now.get(repository.identity), into)
    if before.shared:
        told.append(f"{before.shared} files here have another name outside: code could change them there (hard links).")
    return told


def _judge(found: Found, before: Before) -> str | None:
    """ASIDE, TOLD or None for what the look after the run finds."""
    known = found.identity in before.identities
    if found.is_folder:
        return None if known else ASIDE
    if stamp_of(found.status) in before.stamps:
        return None
    return ASIDE if found.kind.promise == CACHE or (found.kind.promise == ASIDE and not known) else TOLD


def _act(what: str, found: Found, into: Path | None) -> str:
    """Do it. What was done: `what`, or _LEFT when it could not be."""
    if what != ASIDE:
        return what
    if found.kind is not BARE:
        found.leave_out()
    try:
        _move_aside(found.folder, "HEAD" if found.kind is BARE else found.name, into)
    except OSError:
        return _LEFT
    return ASIDE


def _sentence(what: str, kind: Kind, paths: list[Parts]) -> str:
    if kind is BARE:
        paths = [(*path, "HEAD") for path in paths]
    names = _some(paths)
    if what == TOLD:
        return (
            f"Made or changed while the code ran: {names}. It is run by {kind.run_by}, outside the sandbox too: "
            "read it first."
        )
    begin = f"Made while the code ran: {names}. It would be run by {kind.run_by}, outside the sandbox;"
    return f"{begin} it {'was moved aside' if what == ASIDE else 'could not be moved aside, so delete it'}."


def _restore(top: int, was: Repository, now: Repository | None, into: Path | None) -> list[str]:
    """Where a repository cannot be made read-only: it is put back as it was."""
    if now is None:
        now = Repository(was.where, was.identity)
    if now.where[-1:] != was.where[-1:] and is_repository(was.where[-1]):
        with suppress(OSError):
            repositories.bring_back(top, now.where, was.where)
            now.where = was.where
    lost, new = repositories.changes(was, now)
    for parts in new:
        with suppress(OSError):
            folder = repositories.make_way(top, (now.where + parts)[:-1])
            try:
                _move_aside(folder, (now.where + parts)[-1], into)
            finally:
                os.close(folder)
    failed = repositories.put_back(top, was, now.where, lost)
    back = [now.where + parts for parts in [*new, *lost] if parts not in failed]
    told = [f"Changed while the code ran, and put back as it was: {_some(back)}."] if back else []
    failed = [now.where + parts for parts in failed]
    return told + ([f"Changed while the code ran, and too large to put back: {_some(failed)}."] if failed else [])


def _some(paths: list[Parts]) -> str:
    names = ", ".join(f'"{shown("/".join(path))}"' for path in paths[:_SHOWN])
    return names + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")


def _move_aside(folder: int, name: str, into: Path | None) -> None:
    """Move what has this name in the directory `folder` to where nothing runs it. Raises OSError."""
    to = into or place or Path(tempfile.mkdtemp(prefix="glassbox-quarantine-"))
    to.mkdir(parents=True, exist_ok=True)
    target, number = to / name, 1
    while os.path.lexists(target):
        number += 1
        target = to / f"{name}.{number}"
    with suppress(OSError):  # a directory that may not be written to cannot be moved either
        inside = enter(name, folder)
        os.fchmod(inside, stat.S_IMODE(os.fstat(inside).st_mode) | 0o700)
        os.close(inside)
    try:
        os.rename(name, target, src_dir_fd=folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _carry(folder, name, target)


def _carry(folder: int, name: str, target: Path) -> None:
    """To another disk. What cannot be copied whole stays, by a name that nothing runs."""
    source = f"/proc/self/fd/{folder}/{name}"
    try:
        if os.path.isdir(source) and not os.path.islink(source):
            shutil.copytree(source, target, symlinks=True)
            temporary.remove(name, folder)
        else:
            shutil.copy2(source, target, follow_symlinks=False)
            os.unlink(name, dir_fd=folder)
    except (OSError, shutil.Error, RecursionError):
        os.rename(name, f"{name}.aside-{secrets.token_hex(4)}", src_dir_fd=folder, dst_dir_fd=folder)
