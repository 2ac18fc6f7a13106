"""Where the look after a run puts what it takes away: plain numbered files, and a list of what each was.

Never as it lay: a `.git` that is only moved runs its commands as soon as somebody says `git status` beside it. Nothing
in here is a repository, has a name that means something, may be executed or leads anywhere; nothing is deleted.
"""

import errno
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from sandbox.files.directory import enter, folders
from sandbox.files.replace import CAREFULLY
from sandbox.files.unusual import shown
from sandbox.running import temporary

CONTENTS = "contents.txt"

Parts = tuple[str, ...]


class Aside:
    """A folder for what was taken away, made when the first comes; a temporary one where none is given."""

    def __init__(self, into: Path | None) -> None:
        self._into = into
        self._number = 0

    def take(self, path: Parts, folder: int, name: str) -> None:
        """Take what has this name in the directory `folder`, which lies at `path`. Raises OSError."""
        if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            top = enter(name, folder)
            try:
                for names, here, entries in folders(top):
                    for entry in entries:
                        if not entry.is_dir(follow_symlinks=False):
                            self._take_file((*path, *names, entry.name), here, entry.name)
            finally:
                os.close(top)
            temporary.remove(name, folder)
        else:
            self._take_file(path, folder, name)

    def _take_file(self, path: Parts, folder: int, name: str) -> None:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        what = shown("/".join(path))
        if stat.S_ISREG(status.st_mode):
            target = self._free()
            _move(folder, name, target)
            with suppress(OSError):
                os.chmod(target, 0o600)
            self._note(f"{target.name}  {what}")
        else:
            leads = f" -> {shown(os.readlink(name, dir_fd=folder))}" if stat.S_ISLNK(status.st_mode) else ""
            self._note(f"      {what}{leads} ({stat.filemode(status.st_mode)})")
            os.unlink(name, dir_fd=folder)

    def _folder(self) -> Path:
        if self._into is None:
            self._into = Path(tempfile.mkdtemp(prefix="glassbox-quarantine-"))
        self._into.mkdir(parents=True, exist_ok=True)
        return self._into

    def _free(self) -> Path:
        folder = self._folder()
        while True:
            self._number += 1
            if not os.path.lexists(target := folder / f"{self._number:05}"):
                return target

    def _note(self, line: str) -> None:
        with open(self._folder() / CONTENTS, "a", encoding="utf-8") as contents:
            contents.write(f"{line}\n")


def _move(folder: int, name: str, target: Path) -> None:
    try:
        os.rename(name, target, src_dir_fd=folder)
        return
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
    source = os.open(name, os.O_RDONLY | CAREFULLY, dir_fd=folder)  # another disk
    with open(source, "rb") as reading, open(target, "xb") as writing:
        shutil.copyfileobj(reading, writing)
    os.unlink(name, dir_fd=folder)
