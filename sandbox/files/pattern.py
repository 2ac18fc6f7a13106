"""Matching paths by globs ("*.py", "pkg/**/*.py", "*.{py,txt}"), and lines by a regular expression, in a child process
that can be stopped.

A pattern such as `(a+)+$` takes longer than the universe lasts, and nothing in Python can interrupt it from another
thread (python/cpython#90715). So a model's regular expression runs in a process of its own, which is killed in time.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

MATCHER = """
import json, re, sys
expression, seconds = json.loads(sys.stdin.buffer.readline())
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
except (ImportError, ValueError, OSError):
    pass
search = re.compile(expression).search
for sizes in sys.stdin.buffer:
    texts = [sys.stdin.buffer.read(size).decode("utf-8", "replace") for size in json.loads(sizes)]
    found = []
    for text in texts:
        lines = enumerate(text.replace("\\r\\n", "\\n").split("\\n"), 1)
        found.append([[number, line] for number, line in lines if search(line)][:1000])
    print(json.dumps(found), flush=True)
"""
MOST_CHOICES = 64  # of a glob with braces; past it they stand for themselves
BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
TOGETHER = 131_072  # bytes of files in one message to the child

Lines = list[tuple[int, str]]


def choices(glob: str) -> list[str]:
    """A glob with choices in braces as the globs that it stands for: "*.{py,txt}" is two."""
    globs = [glob.removeprefix("./") or "*"]
    while len(globs) < MOST_CHOICES and (found := BRACES.search(globs[0])):
        before, after = globs[0][: found.start()], globs[0][found.end() :]
        globs = [*globs[1:], *(f"{before}{choice}{after}" for choice in found[1].split(","))]
    return globs


def fits(parts: Sequence[str], glob: str) -> bool:
    """Whether a path, given by its names, fits a glob, in which "**" is any number of folders, also none; a glob
    without "/" speaks of the last name alone."""
    if "/" not in glob:
        return fnmatchcase(parts[-1], glob)
    reached = {0}
    for each in glob.split("/"):
        if each == "**":
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {place + 1 for place in reached if place < len(parts) and fnmatchcase(parts[place], each)}
        if not reached:
            return False
    return len(parts) in reached


def literal_of(expression: str) -> bytes:
    """The longest text that stands in every match, by Python's own reading of the expression; empty where none does.

    A file without it needs no regular expression: this is the larger part of what makes ripgrep fast
    (https://burntsushi.net/ripgrep/#literal-optimizations).
    """
    from re import _constants, _parser  # type: ignore[attr-defined]  # Python's own parser, with no public name

    parsed = _parser.parse(expression)
    if parsed.state.flags & re.IGNORECASE:
        return b""
    runs = [""]
    for kind, value in parsed:
        if kind is _constants.LITERAL:
            runs[-1] += chr(value)
        else:
            runs.append("")
    longest = max(runs, key=len)
    return b"" if "\ufffd" in longest else longest.encode("utf-8", "surrogatepass")  # which stands for bytes of no text


class Pattern:
    """A regular expression that is looked for. A context manager: it holds a child process while it is in use.

    Raises `re.error` when the expression is not valid. `expired` tells that the time was up.
    """

    def __init__(self, query: str, seconds: float) -> None:
        self.expired = False
        try:
            re.compile(query)
            self._literal = literal_of(query)
        except (RecursionError, OverflowError) as error:
            raise re.error(str(error)) from None
        self._child: Any = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", MATCHER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # a Popen with both pipes
        self._alarm = threading.Timer(seconds, self._child.kill)
        self._alarm.daemon = True
        self._alarm.start()
        self._first = json.dumps([query, int(seconds) + 1]).encode() + b"\n"

    def __enter__(self) -> Pattern:
        return self

    def __exit__(self, *_: object) -> None:
        self._alarm.cancel()
        self._child.kill()
        self._child.communicate()

    def search(self, files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Lines]]:
        """Yield the path of each file with number and text of its lines that match; those that match in order."""
        waiting: list[tuple[str, bytes]] = []
        size = 0
        for path, data in files:
            if self._literal not in data:
                yield path, []
                continue
            if size + len(data) > TOGETHER:
                yield from self._ask(waiting)
                waiting, size = [], 0
            waiting.append((path, data))
            size += len(data)
        yield from self._ask(waiting)

    def _ask(self, files: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, Lines]]:
        """Ask the child for several files at once; it reads all of them before it answers, so neither waits in vain."""
        if not files or self.expired:
            return
        try:
            sizes = json.dumps([len(data) for _, data in files]).encode()
            self._child.stdin.write(b"".join([self._first, sizes, b"\n", *(data for _, data in files)]))
            self._child.stdin.flush()
            self._first = b""
            found = json.loads(self._child.stdout.readline())
        except (OSError, ValueError):  # the time was up, and the child was killed
            self.expired = True
            return
        for (path, _), lines in zip(files, found, strict=True):
            yield path, [(number, line) for number, line in lines]
