"""Why the working directory refused, in a sentence that tells a model what to do instead."""

import errno
import re

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


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


# What the system says (errno(3)), as a reason and as the end of a sentence.
_WHY = {
    errno.ENOENT: ("missing", "it or its directory does not exist"),
    errno.ENOTDIR: ("not_directory", '"{part}" is not a directory'),
    errno.EISDIR: ("is_directory", "it is a directory"),
    errno.ENXIO: ("not_file", "it is not a regular file"),
    errno.ENODEV: ("not_file", "it is not a regular file"),
    errno.EACCES: ("denied", "permission is denied"),
    errno.EPERM: ("denied", "the system does not permit it"),
    errno.EROFS: ("denied", "the disk is read-only"),
    errno.ENOSPC: ("full", "the disk is full"),
    errno.EDQUOT: ("full", "the disk quota is used up"),
    errno.EFBIG: ("full", "the file would be larger than the system allows"),
    errno.ENAMETOOLONG: ("name", "the name is longer than the system allows"),
    errno.EILSEQ: ("name", "the disk cannot hold such a name"),
    errno.EINVAL: ("name", "the disk cannot hold such a name"),
    errno.ENOTEMPTY: ("not_empty", "it is not empty"),
    errno.EAGAIN: ("busy", "another program holds it"),
    errno.EBUSY: ("busy", "another program holds it"),
    errno.ETXTBSY: ("busy", "it is a program that is running"),
    errno.EMFILE: ("busy", "too many files are open; try again"),
    errno.ENFILE: ("busy", "too many files are open; try again"),
}
# Sentences that learners know from the best-known course on this design, for whatever is not there to be used.
_ABSENT = {
    "read": 'File not found or is not a regular file: "{path}"',
    "execute": '"{path}" does not exist or is not a regular file',
    "list": '"{path}" is not a directory',
}


def outside(verb: str, path: str) -> Refusal:
    """The refusal of a path that leads out of the working directory."""
    return Refusal(f'Cannot {verb} "{shown(path)}" as it is outside the permitted working directory', "outside")


def from_system(error: OSError, verb: str, path: str, part: str = "") -> Refusal:
    """The refusal for an error of the system. `part` is the name in `path` at which it occurred."""
    if error.errno == errno.ELOOP:
        detail = f'"{shown(part)}" is a symbolic link, and links are never followed'
        return Refusal(f"{outside(verb, path)}: {detail}", "symlink")
    reason, why = _WHY.get(error.errno or 0, ("failed", "the system reported: {said}"))
    if verb in _ABSENT and reason in ("missing", "not_file", "not_directory", "is_directory"):
        return Refusal(_ABSENT[verb].format(path=shown(path)), reason)
    why = why.format(part=shown(part), said=error.strerror)
    return Refusal(f'Cannot {verb} "{shown(path)}" as {why}', reason)


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


def has_controls(text: str) -> bool:
    """Whether text holds a character that moves the cursor or breaks the line."""
    return _CONTROL.search(text) is not None
