"""What a run of the tests reports to: it decides the order and when to stop, and hears how each test ended.

It is what differs between measuring, tracing and judging a candidate.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from ..reading.failures import Failure


class Watch(Protocol):
    """What a test run reports to."""

    stop: bool  # set when no further test needs to run
    files: Sequence[str]  # the test files to look into; none: all

    def order(self, names: list[str]) -> list[str]:
        """The tests to run, in this order."""

    def started(self, name: str) -> None:
        """A test begins (its fixtures included)."""

    def finished(self, name: str, failure: Failure | None) -> None:
        """A test ended; `failure` is None when it passed."""

    def done(self) -> None:
        """All tests have run, or `stop` was obeyed."""


Serve = Callable[[], Iterator[Watch]]


_home = [""]


def begin_here() -> None:
    """The current directory is the project's; a test may go to another, and stay there."""
    _home[0] = str(Path.cwd()) + os.sep


def own_path(name: str) -> str | None:
    """The path in the project of an absolute file name, None for files from elsewhere."""
    here = _home[0]
    return name[len(here) :].replace(os.sep, "/") if name.startswith(here) else None
