"""How far a reader has to walk: the files whose code a plain run executes, their lines, and how often a first call
leads to another file. The run is the README's first with the built-in model named, so that no server is looked for,
and in a folder that is in no repository. The model's own files are counted apart.

    python -m bench path
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from config import PROJECT

PROMPT = "fix the bug"
APART = ("offline/",)  # the built-in model stands for a server elsewhere


class Walk:
    """What a profiler hears of calls: the functions of this project, and from which file each was called first."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str, int], str] = {}  # (file, function, line) -> the file of its first caller
        self._heard: dict[int, CodeType] = {}  # by id: hashing code costs more than looking at it

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event != "call" or id(code) in self._heard:
            return
        self._heard[id(code)] = code
        if here := own_file(frame):
            self.first.setdefault((here, code.co_qualname, code.co_firstlineno), caller_of(frame) or here)

    def files(self) -> Counter[str]:
        return Counter(file for file, _, _ in self.first)


def own_file(frame: FrameType) -> str | None:
    """The path of a frame's file within the project; None for a library (an environment may stand inside the project,
    in a folder that begins with a dot), and for a module's or a class's own body."""
    name = frame.f_code.co_filename
    if not name.startswith(f"{PROJECT}/") or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return None
    file = name.removeprefix(f"{PROJECT}/")
    return None if file.startswith(".") or "/site-packages/" in file else file


def caller_of(frame: FrameType) -> str | None:
    """The nearest file of this project above a frame."""
    above = frame.f_back
    while above is not None:
        if file := own_file(above):
            return file
        above = above.f_back
    return None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench path", description=__doc__.split("\n\n")[0])
    parser.add_argument("--files", action="store_true", help="name every file, with its lines and functions")
    options = parser.parse_args(arguments)
    walk = walked()
    for title, chosen in (("the agent", False), ("the built-in model", True)):
        files = {file: count for file, count in walk.files().items() if file.startswith(APART) == chosen}
        calls = {key: caller for key, caller in walk.first.items() if key[0] in files}
        changes = sum(key[0] != caller for key, caller in calls.items())
        lines = sum(lines_of(file) for file in files)
        print(f"{title}: {len(files)} files, {lines} lines; {changes} of {len(calls)} first calls change file")
        for file in sorted(files) if options.files else ():
            print(f"  {file}: {lines_of(file)} lines, {files[file]} functions")
    return 0


def lines_of(file: str) -> int:
    return len((PROJECT / file).read_text(encoding="utf-8").splitlines())


def walked(provider: str = "offline", prepare: Callable[[Path], object] = lambda copy: None) -> Walk:
    """Run the README's first command in this process, on a copy of the calculator in no repository, and listen. ""
    names no provider, and `prepare` makes of the copy what it should be before. Raises SystemExit, with what the run
    printed, when it does not answer."""
    from cli import start
    from cli.reset import put_calculator

    walk = Walk()
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as place:
        copy = put_calculator(Path(place) / "calculator")
        prepare(copy)
        named = ["--provider", provider] if provider else []
        threading.setprofile(walk)
        sys.setprofile(walk)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                code = start.main([PROMPT, *named, "--workdir", str(copy)])
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
    if code:
        raise SystemExit(f"The run ended with exit code {code}:\n{printed.getvalue()}")
    return walk
