"""The names that a path may have, the same on every system. Nothing here touches a disk.

A rule that only Windows or macOS needs holds on Linux too: the same call behaves the same everywhere, and a project
that was written here can be copied there without a name waking up as a device, a stream or a repository's hook.
"""

import re
import unicodedata

LONGEST_NAME = 255  # bytes of UTF-8; NAME_MAX of nearly every file system
LONGEST_PATH = 1024  # bytes of UTF-8; PATH_MAX of macOS, the shortest of the three systems
EXAMPLE = 'use a plain relative path such as "pkg/render.py"'

_REPOSITORIES = frozenset({".git", ".hg", ".svn", ".jj"})
# What Windows calls .git when asked by its short name: GIT~1, and GI7EBA~1 once four names compete for it.
_SHORT_NAME = re.compile(r"(?:git|hg|svn|jj|(?:gi|hg|sv|jj)[0-9a-f]{4})~[0-9]+")
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file; an extension changes nothing: NUL.txt is NUL.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9]|lpt[0-9]) *(?:\..*)?")
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Default ignorable characters that are not of category Cf: ext4 with case folding skips them when it compares names.
_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")


class Refusal(Exception):
    """Why the working directory refused.

    `str(refusal)` is a whole sentence for a model, without "Error: " before it. It names the path as the caller gave
    it, escaped and shortened where needed, and never an absolute path of this system. `reason` is one word for code:
    outside, name, symlink, missing, not_file, not_directory, is_directory, not_text, denied, too_large, full, busy,
    closed, protected, failed.
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
        raise Refusal(f'Cannot {verb} "{shown(repr(path))}" as a path must be text; {EXAMPLE}', "name")
    if _leads_outside(path):
        raise Refusal(f'Cannot {verb} "{shown(path)}" as it is outside the permitted working directory', "outside")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    rule = _rule_against_path(path) or next(filter(None, map(rule_against, parts)), None)
    if rule:
        raise Refusal(f'Cannot {verb} "{shown(path)}" as {rule}; {EXAMPLE}', "name")
    return parts


def rule_against(name: str) -> str | None:
    """Why one name is not allowed, as the middle of a sentence; None when it is."""
    if not _is_unicode(name):
        return "it is not valid Unicode text"
    if len(name.encode()) > LONGEST_NAME:
        return f"a name in it is longer than {LONGEST_NAME} bytes"
    if _CONTROL.search(name):
        return "it holds a control character or a line break"
    if "\\" in name:
        return 'it holds a backslash, and directories are separated by "/"'
    if ":" in name:
        return f'"{shown(name)}" holds a colon'
    if name.endswith((" ", ".")):
        return f'"{shown(name)}" ends in a space or a dot'
    if is_repository(name):
        return f'"{shown(name)}" belongs to version control, which is off limits'
    if _DEVICE.fullmatch(_normalised(name)):
        return f'"{shown(name)}" is a name that Windows reserves for a device'
    return None


def is_repository(name: str) -> bool:
    """Whether some file system would take this name for a repository's store: what a tool writes there (a hook, a
    setting) runs later, outside."""
    plain = _normalised(name)
    return plain in _REPOSITORIES or _SHORT_NAME.fullmatch(plain) is not None


def shown(text: str) -> str:
    """Text from outside as it may stand in a one-line message: unprintable characters escaped, the middle of a very
    long one left out."""
    if len(text) > 200:
        text = f"{text[:120]}...{text[-60:]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def without_controls(name: str) -> str:
    """A name from the disk for one line of a listing: a line break in it must not make a second line."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), name)


def _leads_outside(path: str) -> bool:
    # Windows reads "\" as "/"; what would lead outside there is called by its name here too.
    path = path.replace("\\", "/")
    return path.startswith(("/", "~")) or bool(_DRIVE.match(path)) or ".." in path.split("/")


def _rule_against_path(path: str) -> str | None:
    if len(path) > LONGEST_PATH or (_is_unicode(path) and len(path.encode()) > LONGEST_PATH):
        return f"it is longer than {LONGEST_PATH} bytes"
    return None


def _is_unicode(text: str) -> bool:
    """False for lone surrogates, which no UTF-8 can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _normalised(name: str) -> str:
    """The name as the most forgiving file system would compare it."""
    if name.isascii():
        return name.lower()
    name = _IGNORABLE.sub("", unicodedata.normalize("NFKC", name))
    name = "".join(c for c in name if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFKC", name.casefold()).rstrip(" .")
