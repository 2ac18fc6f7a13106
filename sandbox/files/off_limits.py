"""What is off limits to an agent, before anything is opened: names that no path may have, files that only a person may
put there, and directories that are never given to work in.

Nearly every name is plain, and free; the rules for all others are in unusual.py, the same on every system. What only a
person may put there is what some other program runs later, by itself, outside the sandbox: planted.py is the table.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from sandbox.files.planted import BY_CODE, KINDS, REPOSITORY, TOLD, Kind
from sandbox.files.unusual import LONGEST_NAME, is_store, rule_against, shown

LONGEST_PATH = 1024  # bytes of UTF-8; PATH_MAX of macOS, the shortest of the three systems

_EXAMPLE = 'use a plain relative path such as "pkg/render.py"'
_CLIMBS = re.compile(r"(?:^|/)\.\.(?:/|$)")
# Letters, digits, and between them dots and hyphens; no name of a device, which is one with an ending too (NUL.txt).
_PLAIN = re.compile(rf"(?ai)(?=.{{1,{LONGEST_NAME}}}\Z)(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))\w+(?:[.-]+\w+)*")

_BY_NAME = {name.casefold(): kind for kind in KINDS for name in kind.names.split()}
_PROGRAM = Path(__file__).parents[2]
_PACKAGES = ("agent", "cli", "doors", "functions", "index", "jobs", "live", "offline", "providers", "reach", "records")
_LIBRARY = Path(os.__file__).parent

Identity = tuple[int, int]


class Refusal(Exception):
    """`str(refusal)` is a whole sentence, without "Error: " before it. It names the path as the caller gave it, escaped
    and shortened where needed, and never an absolute path of this system. `reason` is one word for code:
    outside, name, symlink, missing, exists, not_file, not_directory, is_directory, not_text, denied, too_large, full,
    busy, not_empty, closed, off_limits, changed, failed.
    """

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


def parts_of(path: str, verb: str) -> list[str]:
    """The names along a relative path; [] for the working directory itself ("", ".", "./").

    Raises Refusal for every path that the rules forbid. `verb` is what was to be done: list, read, write to, execute.
    A trailing slash is dropped here, because it makes O_NOFOLLOW follow a link (golang/go#79005).
    """
    if not isinstance(path, str):
        raise Refusal(f'Cannot {verb} "{shown(repr(path))}" as a path must be text; {_EXAMPLE}', "name")
    if _leads_outside(path):
        raise outside(verb, path)
    if len(path.encode(errors="replace")) > LONGEST_PATH:
        raise _refusal(verb, path, f"it is longer than {LONGEST_PATH:,} bytes")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    for part in parts:
        if not is_plain(part) and (rule := rule_against(part)):
            raise _refusal(verb, path, rule)
    return parts


def is_repository(name: str) -> bool:
    """Whether some file system would take this name for a repository's store: what a tool writes there (a hook, a
    setting) runs later, outside."""
    return not is_plain(name) and is_store(name)


def kind_of(name: str) -> Kind | None:
    """The kind that a name is of, None for an ordinary one."""
    plain = name.casefold()
    end = "".join(plain.rpartition(".")[1:])
    return _BY_NAME.get(plain) or _BY_NAME.get(f"*{end}") or (REPOSITORY if is_repository(name) else None)


def refusal_to_write(names: list[str]) -> str | None:
    """Why a tool may not write at a path, as the middle of a sentence; None where it may. What is only told may be
    written: the person sees it among the changes of the run."""
    if names and names[-1].casefold() == "head":
        return f'"{shown(names[-1])}" can make a folder a repository, whose settings git runs outside the sandbox'
    for place, name in enumerate(names):
        kind = kind_of(name)
        if kind and kind.promise not in (TOLD, BY_CODE) and (kind.folder or place == len(names) - 1):
            return f'"{shown(name)}" is run by {kind.run_by}, outside the sandbox'
    return None


def outside(verb: str, path: str) -> Refusal:
    """The refusal of a path that leads out of the working directory."""
    return Refusal(f'Cannot {verb} "{shown(path)}" as it is outside the permitted working directory', "outside")


def _leads_outside(path: str) -> bool:
    # Windows reads "\" as "/": what would lead outside there is called that here too.
    path = path.replace("\\", "/")
    has_drive = path[1:2] == ":" and path[0].isalpha()
    return has_drive or path.startswith(("/", "~")) or _CLIMBS.search(path) is not None


def is_plain(name: str) -> bool:
    """Whether a name is one that no rule is about: all that are not may be permitted too, which parts_of tells."""
    return _PLAIN.fullmatch(name) is not None


def _refusal(verb: str, path: str, rule: str) -> Refusal:
    return Refusal(f'Cannot {verb} "{shown(path)}" as {rule}; {_EXAMPLE}', "name")


def off_limits(path: Path, status: os.stat_result) -> str | None:
    """Why a directory may not be worked in, as the end of a sentence ("it contains ..."); None when it may.

    `path` is absolute and free of links, `status` that of the open directory. Directories are compared by identity and
    not by spelling, since a bind mount, or a file system that ignores case, gives one directory several spellings.
    """
    if path.parent == path:
        return "is the whole disk"
    if any(map(is_repository, path.parts[1:])):
        return "is the store of a repository"
    here, above = (status.st_dev, status.st_ino), set(_identities([path, *path.parents]))
    own = [Path(sys.prefix)] if sys.prefix != sys.base_prefix else []  # a virtual environment
    # What must not be anywhere below a working directory, and what must not be above one either.
    for what, below, inside in (
        ("your home directory", _home(), []),
        ("this program's source", [_PROGRAM], [_PROGRAM / package for package in (*_PACKAGES, "sandbox")]),
        ("the Python installation", [Path(sys.base_prefix), Path(sys.prefix), _LIBRARY], [_LIBRARY, *own]),
    ):
        if any(here in _line(place) for place in below):
            return f"contains {what}"
        if above.intersection(_identities(inside)):
            return f"is part of {what}"
    return None


def _home() -> list[Path]:
    try:
        return [Path.home()]
    except RuntimeError:  # an account without a home, as containers have
        return []


@cache
def _line(place: Path) -> list[Identity]:
    """A directory and all that are above it; it stays the same for as long as this program runs."""
    real = Path(os.path.realpath(place))
    return list(_identities([real, *real.parents]))


def _identities(paths: Iterable[Path]) -> Iterator[Identity]:
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        yield status.st_dev, status.st_ino
