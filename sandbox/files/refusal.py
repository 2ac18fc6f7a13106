"""What the system said, as a sentence that tells a model what to do instead. Loaded when it says no."""

import errno
from pathlib import Path

from sandbox.files.off_limits import Refusal, outside
from sandbox.files.unusual import shown

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
    errno.ENOSPC: ("full", "the disk is full; the person must make room first"),
    errno.EDQUOT: ("full", "the disk quota is used up; the person must make room first"),
    errno.EFBIG: ("full", "the file would be larger than the system allows"),
    errno.ENAMETOOLONG: ("name", "the name is longer than the system allows"),
    errno.EILSEQ: ("name", "the disk cannot hold such a name"),
    errno.EINVAL: ("name", "the disk cannot hold such a name"),
    errno.ENOTEMPTY: ("not_empty", "it is not empty"),
    errno.EAGAIN: ("busy", "another program holds it"),
    errno.EBUSY: ("busy", "another program holds it"),
    errno.ETXTBSY: ("busy", "it is a program that is running"),
    errno.ESTALE: ("busy", "another machine has just replaced it; try again"),
    errno.EMFILE: ("busy", "too many files are open; try again"),
    errno.ENFILE: ("busy", "too many files are open; try again"),
}
# Sentences that learners know from the best-known course on this design, for whatever is not there to be used.
_ABSENT = {
    "read": 'File not found or is not a regular file: "{path}"',
    "execute": '"{path}" does not exist or is not a regular file',
    "list": '"{path}" is not a directory',
}


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


def unusable(path: str | Path, error: OSError | ValueError | str) -> Refusal:
    """The refusal of a working directory that cannot be opened, or may not be: then `error` says why."""
    # What it is called where a model may read it: as given, or without what stands above it.
    name = shown((Path(path).name or "/") if Path(path).is_absolute() else str(path))
    if isinstance(error, str):
        advice = "choose a directory that holds one project"
        return Refusal(f'Cannot work in "{name}" as it {error}; {advice}', "off_limits")
    if isinstance(error, FileNotFoundError):
        return Refusal(f'The working directory "{name}" does not exist', "missing")
    if isinstance(error, NotADirectoryError):
        return Refusal(f'The working directory "{name}" is not a directory', "not_directory")
    if isinstance(error, ValueError):
        return Refusal(f'"{name}" cannot be the name of a working directory', "name")
    return from_system(error, "open", name)
