"""The names that a path may have, the same on every system, and the refusal of any other. Nothing here touches a disk.

A rule that only Windows or macOS needs holds on Linux too: the same call behaves the same everywhere, and a project
that was written here can be copied there without a name waking up as a device, a stream or a repository's hook.
"""

import re
import unicodedata

LONGEST_NAME = 255  # bytes of UTF-8; NAME_MAX of nearly every file system
LONGEST_PATH = 1024  # bytes of UTF-8; PATH_MAX of macOS, the shortest of the three systems

_EXAMPLE = 'use a plain relative path such as "pkg/render.py"'
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CLIMBS = re.compile(r"(?:^|/)\.\.(?:/|$)")
_REPOSITORIES = frozenset({".git", ".hg", ".svn", ".jj"})
# What Windows calls .git when asked by its short name: GIT~1, and GI7EBA~1 once four names compete for it.
_SHORT_NAME = re.compile(r"(?:git|hg|svn|jj|(?:gi|hg|sv|jj)[0-9a-f]{4})~[0-9]+")
# Names that only the rule for devices can forbid: no dot, hyphen, tilde or space where one could mean something.
_PLAIN = re.compile(rf"(?=.{{1,{LONGEST_NAME}}}\Z)[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*")
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_DEVICES = frozenset({"con", "prn", "aux", "nul", "clock$", "conin$", "conout$"}).union(
    f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)
)
# Characters that ext4 with case folding skips when it compares names, beyond those of category Cf.
_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0").union(
    chr(code)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
)


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
        return self.args[0]


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
        if rule := _rule_against(part):
            raise _refusal(verb, path, rule)
    return parts


def is_repository(name: str) -> bool:
    """Whether some file system would take this name for a repository's store: what a tool writes there (a hook, a
    setting) runs later, outside."""
    plain = _normalised(name)
    return plain in _REPOSITORIES or _SHORT_NAME.fullmatch(plain) is not None


def outside(verb: str, path: str) -> Refusal:
    """The refusal of a path that leads out of the working directory."""
    return Refusal(f'Cannot {verb} "{shown(path)}" as it is outside the permitted working directory', "outside")


def shown(text: str) -> str:
    """Text from outside as it may stand in a message of one line: what is not printable is escaped, and of a very long
    text the middle is left out."""
    if len(text) > 200:
        text = f"{text[:120]}...{text[-60:]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def without_controls(name: str) -> str:
    """A name from the disk for one line of a listing: a line break in a name must not make a second line. Unlike shown,
    it leaves alone what a name may hold, so that a tool can be given the name that was listed."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), name)


def _leads_outside(path: str) -> bool:
    # Windows reads "\" as "/": what would lead outside there is called that here too.
    path = path.replace("\\", "/")
    has_drive = path[1:2] == ":" and path[0].isalpha()
    return has_drive or path.startswith(("/", "~")) or _CLIMBS.search(path) is not None


def _rule_against(name: str) -> str | None:
    """Why one name is not allowed, as the middle of a sentence; None when it is."""
    if _PLAIN.fullmatch(name) and name.partition(".")[0].lower() not in _DEVICES:  # nearly every name of a walk
        return None
    return _rule_against_unusual(name)


def _rule_against_unusual(name: str) -> str | None:
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "it is not valid Unicode text"
    if size > LONGEST_NAME:
        return f"a name in it is longer than {LONGEST_NAME} bytes"
    if _CONTROL.search(name):
        return "it holds a control character or a line break"
    if "\\" in name:
        return 'it holds a backslash, and directories are separated by "/"'
    if ":" in name:
        return f'"{shown(name)}" holds a colon'
    if name.endswith((" ", ".")):
        return f'"{shown(name)}" ends in a space or a dot'
    plain = _normalised(name)
    if not plain:
        return f'"{shown(name)}" has nothing but dots, spaces and invisible characters'
    if is_repository(name):
        return f'"{shown(name)}" belongs to version control, which is off limits'
    if plain.partition(".")[0].rstrip() in _DEVICES:  # NUL.txt is NUL
        return f'"{shown(name)}" is a name that Windows reserves for a device'
    return None


def _normalised(name: str) -> str:
    """The name as the most forgiving file system would compare it."""
    if name.isascii():
        return name.lower().rstrip(" .")
    name = unicodedata.normalize("NFKC", name)
    name = "".join(c for c in name if unicodedata.category(c) != "Cf" and c not in _IGNORABLE)
    return name.casefold().rstrip(" .")


def _refusal(verb: str, path: str, rule: str) -> Refusal:
    return Refusal(f'Cannot {verb} "{shown(path)}" as {rule}; {_EXAMPLE}', "name")
