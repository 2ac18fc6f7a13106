"""A file of ours and a git that is at work in the same folder, whoever runs it.

git looks whether a file is as it was, and replaces it later, in place of whatever is there by then: what we put there
in between is lost, after we said that it is there. So its lock and its index (gitrepository-layout(5)) are looked at
before a change and after it.
"""

import os
import time

LEFT = 10.0  # seconds after which a lock is one that a killed git left
_WAIT = 0.005
Stamp = tuple[int, int, int]


def index_at_rest(top: int) -> Stamp | None:
    """What tells git's index in an open directory from any other, once no git is at work there; None where there is
    none: no repository, one without a commit, or the store lies elsewhere."""
    while (lock := _status(".git/index.lock", top)) and time.time() - lock.st_mtime < LEFT:
        time.sleep(_WAIT)
    index = _status(".git/index", top)
    return (index.st_ino, index.st_mtime_ns, index.st_size) if index else None


def _status(path: str, top: int) -> os.stat_result | None:
    try:
        return os.stat(path, dir_fd=top, follow_symlinks=False)
    except OSError:
        return None
