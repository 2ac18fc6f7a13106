"""The program of the child process that watches one line: reads request.json in its directory, writes one JSON line.

It is started as a script in a sandbox; the project stands in the folder "program" beside the request.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import unittest
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

MOST_TEXT = 80  # characters of a value
MOST_EVENTS = 200_000


class Watch:
    """Sees the values of some names when a line is about to run for the first time, and what comes of it; where it
    raises later on, that time counts."""

    def __init__(self, path: str, first: int, last: int, names: list[str]) -> None:
        self.path, self.first, self.last, self.names = path, first, last, names
        self.seen: dict[str, Any] = {}
        self.before: dict[str, str] = {}
        self.waiting: FrameType | None = None  # where the line has begun and not ended
        self.raised = False
        self.events = 0

    def start(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.events += 1
        if self.events > MOST_EVENTS or self.raised:
            sys.settrace(None)
            return None
        return self.look if frame.f_code.co_filename == self.path else None

    def look(self, frame: FrameType, event: str, argument: Any) -> Any:
        is_inside = self.first <= frame.f_lineno <= self.last
        if frame is self.waiting and event == "exception":
            self.seen = {"values": self.before, "outcome": f"raises {argument[0].__name__}: {argument[1]}"[:MOST_TEXT]}
            self.raised = True
        elif frame is self.waiting and (event == "return" or not is_inside):
            self.waiting = None
            self.ended(frame, event, argument)
        if event == "line" and is_inside and self.waiting is None and not self.raised:
            self.waiting, self.before = frame, self.values(frame)
        return self.look

    def ended(self, frame: FrameType, event: str, argument: Any) -> None:
        """The line has run: keep what it did, the first time."""
        if not self.seen:
            after = {name: text for name, text in self.values(frame).items() if self.before.get(name) != text}
            self.seen = {"values": self.before, "after": after}
            if event == "return" and not after:
                self.seen["outcome"] = f"returns {told(argument)}"

    def values(self, frame: FrameType) -> dict[str, str]:
        return {name: told(value) for name in self.names if (value := value_of(frame, name)) is not MISSING}


MISSING = object()


def value_of(frame: FrameType, name: str) -> Any:
    """What a name ("total", "self.total") stands for in a frame; functions, classes and modules tell nothing."""
    first, *attributes = name.split(".")
    value = frame.f_locals.get(first, frame.f_globals.get(first, MISSING))
    for attribute in attributes:
        try:
            value = vars(value).get(attribute, MISSING) if value is not MISSING else MISSING
        except TypeError:
            return MISSING
    return MISSING if isinstance(value, ModuleType | FunctionType | type) or callable(value) else value


def told(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = "?"
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 3]}..."


def names_in(text: str, first: int, last: int) -> list[str]:
    """The names, and the attributes of self, that the statements of some lines read or write, in their order."""
    found: dict[str, None] = {}
    for node in ast.walk(ast.parse(text)):
        if not first <= getattr(node, "lineno", 0) <= last:
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            found[f"self.{node.attr}"] = None
        elif isinstance(node, ast.Name) and node.id != "self":
            found[node.id] = None
    return list(found)


def run_test(test: str) -> None:
    if "::" in test:
        import pytest

        pytest.main(["-q", "-p", "no:cacheprovider", "--assert=plain", "-oaddopts=", "--rootdir=.", test])
    else:
        unittest.TextTestRunner(io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromName(test))


def main() -> None:
    request = json.loads(Path("request.json").read_text("utf-8"))
    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != here]
    os.chdir("program")
    sys.path[:0] = [str(Path(root).resolve()) for root in request["roots"]]
    path = Path(request["path"])
    names = names_in(path.read_text("utf-8"), request["first"], request["last"])
    watch = Watch(str(path.resolve()), request["first"], request["last"], names)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(BaseException):
        sys.settrace(watch.start)
        run_test(request["test"])
    sys.settrace(None)
    print(json.dumps(watch.seen), file=sys.__stdout__)


if __name__ == "__main__":
    main()
