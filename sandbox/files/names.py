"""The names that a path may have, the same on every system, and the refusal of any other. Nothing here touches a disk.

Nearly every name is plain, and free; the rules for all others are in unusual.py.
"""

import re

from sandbox.files.unusual import LONGEST_NAME, is_store, rule_against, shown

__all__ = ["Refusal", "is_repository", "outside", "parts_of", "shown"]

LONGEST_PATH = 1024  # bytes of UTF-8; PATH_MAX of macOS, the shortest of the three systems

_EXAMPLE = 'use a plain relative path such as "pkg/render.py"'
_CLIMBS = re.compile(r"(?:^|/)\.\.(?:/|$)")
# Letters, digits, and between them dots and hyphens; no name of a device, which is one with an ending too (NUL.txt).
_PLAIN = re.compile(rf"(?ai)(?=.{{1,{LONGEST_NAME}}}\Z)(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))\w+(?:[.-]+\w+)*")


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
        if not _is_plain(part) and (rule := rule_against(part)):
            raise _refusal(verb, path, rule)
    return parts


def is_repository(name: str) -> bool:
    """Whether some file system would take this name for a repository's store: what a tool writes there (a hook, a
    setting) runs later, outside."""
    return not _is_plain(name) and is_store(name)


def outside(verb: str, path: str) -> Refusal:
    """The refusal of a path that leads out of the working directory."""
    return Refusal(f'Cannot {verb} "{shown(path)}" as it is outside the permitted working directory', "outside")


def _leads_outside(path: str) -> bool:
    # Windows reads "\" as "/": what would lead outside there is called that here too.
    path = path.replace("\\", "/")
    has_drive = path[1:2] == ":" and path[0].isalpha()
    return has_drive or path.startswith(("/", "~")) or _CLIMBS.search(path) is not None


def _is_plain(name: str) -> bool:
    return _PLAIN.fullmatch(name) is not None


def _refusal(verb: str, path: str, rule: str) -> Refusal:
    return Refusal(f'Cannot {verb} "{shown(path)}" as {rule}; {_EXAMPLE}', "name")
