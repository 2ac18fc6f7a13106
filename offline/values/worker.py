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
    """Sees the values of some names when a line is about to run, and what comes of it."""

    def __init__(self, path: str, first: int, last: int, names: list[str]) -> None:
        self.path, self.first, self.last, self.names = path, first, last, names
        self.seen: dict[str, Any] = {}
        self.waiting: FrameType | None = None
        self.raised = False
        self.events = 0

    def start(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.events += 1
        if self.events > MOST_EVENTS or self.raised:
            sys.settrace(None)
            return None
        return self.look if frame.f_code.co_filename == self.path else None

    def look(self, frame: FrameType, event: str, argument: Any) -> Any:
        inside = self.first <= frame.f_lineno <= self.last
        if event == "exception" and frame is self.waiting and inside:
            kind, error, _ = argument
            self.seen["outcome"], self.raised = f"raises {kind.__name__}: {error}"[:MOST_TEXT], True
        elif self.waiting is frame and event in ("line", "return") and not (event == "line" and inside):
            self.came_out(frame, event, argument)
        if event == "line" and inside and (not self.seen or frame.f_lineno == self.first) and not self.raised:
            self.waiting = frame
            values = {name: told(value) for name in self.names if (value := value_of(frame, name)) is not MISSING}
            if not self.seen or "outcome" in self.seen:
                self.latest = {"values": values}
                self.seen = self.seen or self.latest
        return self.look

    def came_out(self, frame: FrameType, event: str, argument: Any) -> None:
        self.waiting = None
        if "outcome" not in self.seen and "after" not in self.seen:
            if event == "return":
                self.seen["outcome"] = f"returns {told(argument)}"
            values = {name: told(value) for name in self.names if (value := value_of(frame, name)) is not MISSING}
            changed = {name: text for name, text in values.items() if self.seen["values"].get(name) != text}
            self.seen["after"] = changed


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
