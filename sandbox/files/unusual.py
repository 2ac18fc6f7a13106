"""Names that are not plain letters, digits, dots and hyphens: which of them no path may have, and how they are shown.

A rule that only Windows or macOS needs holds on Linux too: the same call behaves the same everywhere, and a project
that was written here can be copied there without a name waking up as a device, a stream or a repository's hook.
"""

import re
import unicodedata

LONGEST_NAME = 255  # bytes of UTF-8; NAME_MAX of nearly every file system

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_REPOSITORIES = frozenset({".git", ".hg", ".svn", ".jj"})
# What Windows calls .git when asked by its short name: GIT~1, and GI7EBA~1 once four names compete for it.
_SHORT_NAME = re.compile(r"(?:git|hg|svn|jj|(?:gi|hg|sv|jj)[0-9a-f]{4})~[0-9]+")
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_DEVICE = re.compile(r"con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9]")
# Characters that ext4 with case folding skips when it compares names, beyond those of category Cf.
_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def rule_against(name: str) -> str | None:
    """Why a name is not allowed, as the middle of a sentence; None when it is."""
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
    if is_store(name):
        return f'"{shown(name)}" belongs to version control, which is off limits'
    if _DEVICE.fullmatch(plain.partition(".")[0].rstrip()):  # NUL.txt is NUL
        return f'"{shown(name)}" is a name that Windows reserves for a device'
    return None


def is_store(name: str) -> bool:
    """Whether some file system would take this name for a repository's store."""
    plain = _normalised(name)
    return plain in _REPOSITORIES or _SHORT_NAME.fullmatch(plain) is not None


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


def _normalised(name: str) -> str:
    """The name as the most forgiving file system would compare it."""
    if name.isascii():
        return name.lower().rstrip(" .")
    name = unicodedata.normalize("NFKC", name)
    name = "".join(c for c in _IGNORABLE.sub("", name) if unicodedata.category(c) != "Cf")
    return name.casefold().rstrip(" .")
