"""The private temporary directory of a run: made before it, gone after it whatever is in it."""

import contextlib
import os
import secrets
import shutil
from pathlib import Path

from sandbox.files.directory import DIRECTORY

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
    clean up by path or by recursion. So this walks by descriptor, one at a time, down and by ".." up again.
    """
    here = _enter(name, parent)
    stack = [(name, _clear(here))]
    while stack:
        name, directories = stack[-1]
        if directories:
            inner = directories.pop()
            here = _replace(here, _enter(inner, here))
            stack.append((inner, _clear(here)))
        else:
            here = _replace(here, os.open("..", DIRECTORY, dir_fd=here))
            os.rmdir(name, dir_fd=here)
            stack.pop()
    os.close(here)


def remove_all(path: Path) -> None:
    """Remove a directory in which may lie what code left behind. What cannot be removed stays."""
    if os.scandir not in os.supports_fd:
        shutil.rmtree(path, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        parent = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            remove(path.name, parent)
        finally:
            os.close(parent)


def _enter(name: str, parent: int) -> int:
    try:
        return os.open(name, DIRECTORY, dir_fd=parent)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=parent)
        return os.open(name, DIRECTORY, dir_fd=parent)


def _clear(descriptor: int) -> list[str]:
    """Unlink all that is not a directory; the names of those that are."""
    os.fchmod(descriptor, 0o700)
    with os.scandir(descriptor) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_directory in found:
        if not is_directory:
            os.unlink(name, dir_fd=descriptor)
    return [name for name, is_directory in found if is_directory]


def _replace(old: int, new: int) -> int:
    os.close(old)
    return new
