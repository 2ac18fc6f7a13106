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
from collections.abc import Iterator
from typing import Any

MATCHER = """
import json, re, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
except (ImportError, ValueError, OSError):
    pass
search = re.compile(sys.argv[1]).search
for request in sys.stdin:
    lines = json.loads(request).split("\\n")
    found = [[number, line] for number, line in enumerate(lines, 1) if search(line)][:1000]
    print(json.dumps(found), flush=True)
"""


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
            encoding="utf-8",
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

    def lines(self, data: bytes) -> Iterator[tuple[int, str]]:
        """Yield number and text of each line of a file that matches."""
        if self._child is not None:
            yield from self._ask(data.decode("utf-8", "replace"))
        elif self.query.encode("utf-8", "surrogatepass") in data:
            for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
                if self.query in line:
                    yield number, line.rstrip("\r")

    def _ask(self, text: str) -> Iterator[tuple[int, str]]:
        try:
            self._child.stdin.write(json.dumps(text.replace("\r\n", "\n")) + "\n")
            self._child.stdin.flush()
            answer = self._child.stdout.readline()
        except OSError:
            answer = ""
        if not answer:
            self.expired = True
            return
        yield from (tuple(found) for found in json.loads(answer))
