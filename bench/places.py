"""Search in ten thousand files beside ripgrep and grep, and the start of sandboxed code beside plain Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.progress import Task
from bench.record import Line

FILES = 10_000
QUERY, PATTERN = "needle_in_hay", "needle_[a-z]+_hay"
TEXT = "def function_{number}_{line}(value):\n    return value * {line} + {number}  # a line like many others\n\n"


def search(repeats: int, place: Path) -> Iterator[Task]:
    """The tool `search_files`, ripgrep with one thread, and grep, on the same files; each once before, unmeasured."""
    folder = place / "hay"
    searchers = searches(folder)
    for repeat in range(repeats):
        for name, action in searchers.items():
            line = {"kind": "search", "subject": name, "turns": FILES, "repeat": repeat}
            yield Task(line, lambda a=action: seconds_of(a, before=lambda: (hay(folder), a())))


def searches(folder: Path) -> dict[str, Callable[[], object]]:
    from functions.search_files import search_files

    found: dict[str, Callable[[], object]] = {
        "search_files, text": lambda: search_files(folder, QUERY),
        "search_files, regular expression": lambda: search_files(folder, PATTERN, regex=True),
    }
    if shutil.which("rg"):
        start = ["rg", "-j1", "-n", "--no-config", "--no-heading"]
        found["ripgrep -j1, text"] = command([*start, "-F", QUERY], folder)
        found["ripgrep -j1, regular expression"] = command([*start, PATTERN], folder)
    else:
        print("ripgrep is not installed: left out", file=sys.stderr)
    if shutil.which("grep"):
        found["grep -rnIF, text"] = command(["grep", "-rnIF", QUERY, "."], folder)
    return found


def hay(folder: Path) -> None:
    """Ten thousand files of about two kilobytes in a hundred folders; forty of them hold what is looked for."""
    if folder.is_dir():
        return
    for number in range(FILES):
        path = folder / f"part{number % 100:02}" / f"module{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(TEXT.format(number=number, line=line) for line in range(20))
        path.write_text(text + (f"# {QUERY}\n" if number % 250 == 0 else ""))


def start(repeats: int, place: Path) -> Iterator[Task]:
    """A program of one line, behind the sandbox's walls and without them, in turn."""
    from sandbox.files.root import Root
    from sandbox.running.process import run_python

    folder = place / "small"
    folder.mkdir(exist_ok=True)
    (folder / "main.py").write_text("print(1)\n")

    def sandboxed() -> None:
        with Root(folder) as root:
            outcome = run_python(root, ["main.py"])
        if outcome.exit_code:
            raise OSError(f"the sandbox could not start Python: {outcome.stderr[-300:]}")

    plain = command([sys.executable, "main.py"], folder)
    for repeat in range(repeats):
        for name, action in (("sandboxed start", sandboxed), ("plain Python", plain)):
            line = {"kind": "start", "subject": name, "turns": 1, "repeat": repeat}
            yield Task(line, lambda a=action, first=not repeat: seconds_of(a, before=a if first else lambda: None))


def command(arguments: Sequence[str], folder: Path) -> Callable[[], object]:
    return lambda: subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True)


def seconds_of(action: Callable[[], object], before: Callable[[], object]) -> Line:
    before()
    began = time.perf_counter()
    action()
    return {"seconds": round(time.perf_counter() - began, 5)}
