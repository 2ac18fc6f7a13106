"""The private temporary directory of a run: made before it, gone after it whatever is in it."""

import os
import secrets
import stat

PREFIX = "glassbox-"


def make(parent: int) -> str:
    """The name of a new directory in the directory that the descriptor `parent` holds; for its owner only."""
    while True:
        name = PREFIX + secrets.token_hex(8)
        try:
            os.mkdir(name, 0o700, dir_fd=parent)
        except FileExistsError:
            continue
        return name


def remove(name: str, parent: int) -> None:
    """Remove the directory and all below it. No process may be left that changes it.

    A program can build a tree that is deeper than a path can be long, or without permissions, against programs that
    clean up by recursion. So the tree is kept flat: what is found in a subdirectory is first moved up.
    """
    top = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    try:
        os.fchmod(top, 0o700)
        while names := os.listdir(top):
            for entry in names:
                _empty(entry, top)
    finally:
        os.close(top)
    os.rmdir(name, dir_fd=parent)


def _empty(name: str, top: int) -> None:
    """Remove a file, or a directory after moving its directories up."""
    if not stat.S_ISDIR(os.lstat(name, dir_fd=top).st_mode):
        os.unlink(name, dir_fd=top)
        return
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        for entry in os.listdir(inner):
            if stat.S_ISDIR(os.lstat(entry, dir_fd=inner).st_mode):
                os.chmod(
                    entry, 0o700, dir_fd=inner
                )  # moving a directory changes its "..", which needs write permission
                os.rename(entry, secrets.token_hex(8), src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(entry, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)
