"""The watch that compares programs: what their functions return to the tests, and how the tests end."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from ..reading.facts import Facts
from ..reading.failures import Failure
from .limits import arm_limit

MOST_CALLS = 30  # observed in one test
ADDRESS = re.compile(r"0x[0-9a-f]+")


class Observer:
    """A watch that records, for each test, what the program returned to it and how it ended."""

    def __init__(
        self,
        facts: Facts,
        report: Callable[[dict[str, Any]], None],
        test_files: set[str],
        own: set[str],
    ) -> None:
        """`test_files` and `own` are absolute names of files."""
        self.facts = facts
        self.report = report
        self.test_files = test_files
        self.own = own
        self.stop, self.files = False, ()
        self.seen: dict[str, list[str]] = {}
        self.calls: list[str] = []

    def order(self, names: list[str]) -> list[str]:
        """All of them, in their own order."""
        return names

    def started(self, name: str) -> None:
        """Begin to listen."""
        self.calls = self.seen.setdefault(name, [])
        arm_limit(self.facts.limit_of(name))
        sys.setprofile(self._listen)

    def finished(self, name: str, failure: Failure | None) -> None:
        """Record how the test ended."""
        sys.setprofile(None)
        arm_limit(0)
        kind = "passed" if failure is None else failure.text.partition(":")[0]
        self.calls.append(kind)
        self.report({"observed": name, "calls": self.calls})

    def done(self) -> None:
        """Say that everything ran."""
        self.report({"passed": None})

    def _listen(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "return" or len(self.calls) >= MOST_CALLS or frame.f_code.co_filename not in self.own:
            return
        caller = frame.f_back
        if caller is not None and caller.f_code.co_filename in self.test_files:
            sys.setprofile(None)
            try:
                text = ADDRESS.sub("", repr(argument))[:200]
            except Exception:
                text = "?"
            sys.setprofile(self._listen)
            self.calls.append(f"{frame.f_code.co_name} {text}")
