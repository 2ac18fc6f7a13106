"""What the person has told git for all their repositories, as far as it says which bytes a commit stores: the files
that they ignore everywhere, the attributes of files, how lines end. It is read as text: no program that it names is
run, and no path is followed that a repository's own configuration names."""

import os
from pathlib import Path

from config import environment_of
from sandbox.files.root import Refusal

LEFT_BEHIND = Path(__file__).with_name("left_behind.gitignore")
_LINES = ("core.autocrlf", "core.eol", "core.safecrlf")
_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")


def where_it_stands() -> dict[str, str]:
    """The variables by which git finds the configuration of the person, and that of the machine."""
    return environment_of(_VARIABLES)


def settings_of_the_person(listed: str, top: Path) -> dict[str, str]:
    """What `git config --list --null --show-scope` says of the person's settings that are heeded: both files by whole
    paths, and how lines end where that is set. Whatever is set of the repository at `top` alone is left out."""
    parts = iter(listed.split("\0"))
    said = dict(
        (*entry.split("\n", 1), "true")[:2]  # a name without a value is on
        for scope, entry in zip(parts, parts, strict=False)
        if scope in ("system", "global")
    )
    return {
        "core.excludesFile": _path(said.get("core.excludesfile"), "ignore", top),
        "core.attributesFile": _path(said.get("core.attributesfile"), "attributes", top),
        **{name: said[name] for name in _LINES if name in said},
    }


def ignored_by(path: str) -> bytes:
    """The patterns of what is never committed: the person's, and those of what a killed program of ours leaves. Raises
    Refusal where the person's cannot be read."""
    try:
        persons = Path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        persons = b""
    except OSError as error:
        raise Refusal(
            f"What the person ignores everywhere (core.excludesFile) cannot be read: {error.strerror}. The person must "
            "mend that first",
            "denied",
        ) from None
    return persons + b"\n" + LEFT_BEHIND.read_bytes()


def _path(named: str | None, usual: str, top: Path) -> str:
    """Where a file of the person's lies: as they say, else in the usual place (gitignore(5), gitattributes(5))."""
    if named is not None:
        return str(top / os.path.expanduser(named)) if named else os.devnull
    known = where_it_stands()
    below = known.get("XDG_CONFIG_HOME") or (f"{known['HOME']}/.config" if known.get("HOME") else "")
    return f"{below}/git/{usual}" if below else os.devnull
