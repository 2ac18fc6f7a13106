"""What lies in the working directory before and after a run of code: one walk each. Where all is plain, it ends here.

A wall holds a process, not the person's tools: what a run leaves behind may be run later, outside. A folder in which
something is not plain, or new, is handed to quarantine.py, which nothing enters otherwise.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.files.directory import Identity, Stamp, folders, identity_of, stamp_of
from sandbox.files.off_limits import kind_of
from sandbox.files.planted import TELL_A_FOLDER
from sandbox.files.replace import CAREFULLY

if TYPE_CHECKING:
    from sandbox.running.quarantine import Quarantine

AVAILABLE = os.scandir in os.supports_fd and os.open in os.supports_dir_fd  # not on Windows, where nothing is promised
_LOOKED_INTO = 8192  # bytes that tell whether a file is binary


@dataclass
class Before:
    """What was there before the run. `closed`: directories and files that are not looked into, since mounts or a copy
    keep them as they are. `guarded`: paths that no code may change, where mounts can be read-only."""

    mounts: bool
    stamps: dict[Identity, Stamp] = field(default_factory=dict)
    closed: set[Identity] = field(default_factory=set)
    guarded: list[str] = field(default_factory=list)
    quarantine: Quarantine | None = None

    def entered(self) -> Quarantine:
        """The machinery for what is not plain, loaded when it is first needed."""
        if self.quarantine is None:
            from sandbox.running.quarantine import Quarantine

            self.quarantine = Quarantine(self)
        return self.quarantine


def look(top: int, where: str, *, mounts: bool) -> Before:
    """Look through the directory `top`, whose path is `where`, before a run. `mounts`: whether what is `guarded` will
    be mounted read-only."""
    before = Before(mounts)
    if not AVAILABLE:
        return before
    for folder in Path(where).parents:  # a repository above may have its hooks in here
        if os.path.lexists(folder / ".git"):
            before.entered().note_settings(str(folder), where)
            break
    for names, here, entries in folders(top):
        special = False
        for entry in entries:
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                before.stamps[identity_of(status)] = stamp_of(status)
                special |= _is_special(entry.name, status)
        if special:
            before.entered().remember(tuple(names), here, entries, where)
    if before.quarantine:
        before.quarantine.hold_links(top)
    return before


def after(top: int, before: Before, into: Path | None) -> list[str]:
    """Move what is new and runs elsewhere into the folder `into` (a temporary one where it is None); put back what was
    changed inside a repository. Sentences for the model and the person."""
    if not AVAILABLE:
        return []
    told = []
    try:
        for names, here, entries in folders(top):
            new, closed, odd = {}, [], False
            for entry in entries:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    stamp, is_folder = before.stamps.get(identity_of(status)), stat.S_ISDIR(status.st_mode)
                    if identity_of(status) in before.closed:
                        closed.append(entry)
                    elif stamp is None or not (is_folder or stamp == stamp_of(status)):
                        new[entry.name] = by_rule(entry.name, status, here)
                        odd |= _is_special(entry.name, status) or new[entry.name] is not None
            if odd or before.quarantine:
                before.entered().judge(tuple(names), here, entries, new, into)
            for entry in closed:
                entries.remove(entry)
    except OSError as error:
        told.append(f"Not all of the working directory could be looked through: {error.strerror or error}.")
    return told + (before.quarantine.told(top, into) if before.quarantine else [])


def by_rule(name: str, status: os.stat_result, here: int) -> str | None:
    """What the person is told of a new file of any name in the directory `here`, None for an ordinary one."""
    if name.startswith("."):
        return "hidden"
    if stat.S_ISDIR(status.st_mode):
        return None
    if not stat.S_ISREG(status.st_mode):
        return "no plain file"
    if status.st_mode & 0o111:
        return "executable"
    try:
        descriptor = os.open(name, os.O_RDONLY | CAREFULLY, dir_fd=here)
        with open(descriptor, "rb") as file:
            return "binary" if b"\0" in file.read(_LOOKED_INTO) else None
    except OSError:
        return "unreadable"


def _is_special(name: str, status: os.stat_result) -> bool:
    several = status.st_nlink > 1 and not stat.S_ISDIR(status.st_mode)
    return several or name.casefold() in TELL_A_FOLDER or kind_of(name) is not None
