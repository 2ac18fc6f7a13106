"""Matching lines, by plain text here, or by a regular expression in a child process that can be stopped.

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
from typing import Any

MATCHER = """
import json, re, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
except (ImportError, ValueError, OSError):
    pass
search = re.compile(sys.argv[1]).search
for sizes in sys.stdin.buffer:
    texts = [sys.stdin.buffer.read(size).decode("utf-8", "replace") for size in json.loads(sizes)]
    for text in texts:
        lines = text.replace("\\r\\n", "\\n").split("\\n")
        print(json.dumps([[number, line] for number, line in enumerate(lines, 1) if search(line)][:1000]), flush=True)
"""
TOGETHER = 32_768  # bytes of files in one message to the child: what a pipe holds without anybody reading it

Lines = list[tuple[int, str]]


class Pattern:
    """What is looked for. A context manager: a regular expression holds a child process while it is in use.

    Raises `re.error` when the expression is not valid. `expired` tells that the time was up.
    """

    def __init__(self, query: str, regex: bool, seconds: float) -> None:
        self.query, self.expired = query, False
        self._child: Any = None  # a Popen with both pipes
        if not regex:
            return
        try:
            re.compile(query)
        except (RecursionError, OverflowError) as error:
            raise re.error(str(error)) from None
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", MATCHER, query, str(int(seconds) + 1)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._alarm = threading.Timer(seconds, self._child.kill)
        self._alarm.daemon = True
        self._alarm.start()

    def __enter__(self) -> Pattern:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is None:
            return
        self._alarm.cancel()
        self._child.kill()
        self._child.communicate()

    def search(self, files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Lines]]:
        """Yield the path of each file, in order, with number and text of its lines that match."""
        if self._child is None:
            wanted = self.query.encode("utf-8", "surrogatepass")
            yield from ((path, self._lines(data) if wanted in data else []) for path, data in files)
            return
        waiting: list[tuple[str, bytes]] = []
        for path, data in files:
            if sum(len(other) for _, other in waiting) + len(data) > TOGETHER:
                yield from self._ask(waiting)
                waiting = []
            waiting.append((path, data))
        yield from self._ask(waiting)

    def _lines(self, data: bytes) -> Lines:
        lines = enumerate(data.decode("utf-8", "replace").split("\n"), 1)
        return [(number, line.rstrip("\r")) for number, line in lines if self.query in line]

    def _ask(self, files: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, Lines]]:
        """Ask the child for several files at once; each answer is read before the next is waited for."""
        if not files or self.expired:
            return
        try:
            sizes = json.dumps([len(data) for _, data in files]).encode()
            self._child.stdin.write(b"".join([sizes, b"\n", *(data for _, data in files)]))
            self._child.stdin.flush()
            for path, _ in files:
                yield path, [(number, line) for number, line in json.loads(self._child.stdout.readline())]
        except (OSError, ValueError):  # the time was up, and the child was killed
            self.expired = True
