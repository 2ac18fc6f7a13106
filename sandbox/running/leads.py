"""Where the settings of a repository lead: what a value of them names in the working directory, git may run or read.

Not a list of settings: `core.hooksPath`, `hook.x.command`, `include.path` and what the next git brings are all values
that name a file. Each word of a value that can be a path is taken for one, from the top of the repository and from its
store. git-config(1), gitrepository-layout(5)
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress

_MOST_BYTES = 2**20  # of one file of settings
_MOST_INCLUDES = 20  # files of settings that are read for one repository
_VALUE = re.compile(r"^\s*(?:\[[^\]\n]*\]\s*)*([\w.-]+)\s*=\s*(.*)$", re.MULTILINE)
_OF_A_PLACE = ("path", "file", "dir", "command")  # how names of settings end whose value may be one name without a "/"
_WORD = re.compile(r'"((?:[^"\\\n]|\\.)*)"|([^\s"]+)')


def led_to(top: str, where: str) -> set[tuple[str, ...]]:
    """Paths in the directory `where` that the settings of the repository at `top` name, as names from `where`; without
    `where` itself. Reads settings, follows what they take in, and runs nothing."""
    store = _store(top)
    waiting = [
        os.path.join(folder, name) for folder in (store, _common(store)) for name in ("config", "config.worktree")
    ]
    found: set[tuple[str, ...]] = set()
    read: set[str] = set()
    while waiting and len(read) < _MOST_INCLUDES:
        settings = waiting.pop()
        if settings in read or not (text := _text(settings)):
            continue
        read.add(settings)
        for word in _words(text):
            for base in (top, os.path.dirname(settings)):
                path = os.path.normpath(os.path.join(base, os.path.expanduser(word)))
                waiting += [path] if os.path.isfile(path) else []
                inside = os.path.relpath(path, where)
                if inside != os.curdir and not inside.startswith(os.pardir):
                    found.add(tuple(inside.split(os.sep)))
    return found


def _store(top: str) -> str:
    """`.git`, or what the file of this name points to (a linked worktree, a submodule)."""
    store = os.path.join(top, ".git")
    pointed = _text(store).strip().partition("gitdir: ")[2]
    return os.path.normpath(os.path.join(top, pointed)) if pointed else store


def _common(store: str) -> str:
    return os.path.normpath(os.path.join(store, _text(os.path.join(store, "commondir")).strip()))


def _words(text: str) -> Iterator[str]:
    for name, value in _VALUE.findall(re.sub(r"\\\r?\n", "", text)):
        words = [re.sub(r"\\(.)", r"\1", quoted or bare) for quoted, bare in _WORD.findall(value)]
        whole = value.strip().strip('"')  # one path with spaces in it
        pieces = [piece.strip("\"'") for word in words for piece in word.split()]  # a whole command in quotes
        anything = len(pieces) > 1 or name.casefold().endswith(_OF_A_PLACE)
        yield from (word for word in {whole, *words, *pieces} if word and (anything or "/" in word))


def _text(path: str) -> str:
    """What is in a regular file, "" where there is none; never waits for a pipe."""
    with suppress(OSError, ValueError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, encoding="utf-8", errors="surrogateescape") as file:
            if os.path.isfile(f"/proc/self/fd/{descriptor}") or os.path.isfile(path):
                return file.read(_MOST_BYTES)
    return ""
