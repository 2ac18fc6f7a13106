"""`python -m bench.many.child`: the process that does tasks. A task comes as a line of JSON on standard input, what it
gives goes as a line to standard output. When standard input ends, so does this process, with all that it started.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import os
import platform
import queue
import random
import shutil
import sys
import tempfile
import threading
from pathlib import Path

from bench import children
from bench.record import Line
from config import PROJECT, VERSION
from sandbox.running.levels import LEVELS, level

ROOMS = ("agent", "functions", "jobs", "offline", "providers", "records", "sandbox")  # what a run is made of


def main() -> None:
    """Do tasks until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a task prints is no answer
    tasks: queue.SimpleQueue[Line] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(tasks,), daemon=True).start()
    while True:
        line = done(tasks.get())
        answers.write(json.dumps(line) + "\n")
        answers.flush()


def done(task: Line) -> Line:
    """Do one task. {"refused": why} when this machine's wall is weaker than the task asks for, or not known here."""
    here = about_here()
    if task["wall"] not in LEVELS[: LEVELS.index(here["wall"]) + 1]:
        return {"refused": f"the wall of {here['machine']} is {here['wall']}, and {task['wall']} was asked for"}
    random.seed(task["seed"])
    module, _, name = task["work"].partition(":")
    try:
        found = getattr(importlib.import_module(module), name)({**task["data"], "seed": task["seed"]})
    except Exception as error:  # whatever it is, it is this task's result and not the end of the others
        found = {"outcome": "error", "cause": f"{type(error).__name__}: {error}"}
    return {"outcome": "done", **here, **found}


@functools.cache
def about_here() -> Line:
    """What a record tells of where it was made."""
    return {
        "glassbox": code_state(),
        "python": platform.python_version(),
        "machine": platform.node(),
        "wall": level().name,
    }


def code_state(program: Path = PROJECT) -> str:
    """`0.1.0+1a2b3c4d`: the version, and a digest of the program's files, which differ between two versions as well."""
    digest = hashlib.sha256()
    files = [*program.glob("*.py"), *(path for room in ROOMS for path in (program / room).rglob("*.py"))]
    for path in sorted(files):
        digest.update(path.read_bytes())
    return f"{VERSION}+{digest.hexdigest()[:8]}"


def listen(tasks: queue.SimpleQueue[Line]) -> None:
    """Take tasks from standard input; at its end, end everything."""
    with contextlib.suppress(OSError, ValueError):
        for text in sys.stdin:
            tasks.put(json.loads(text))
    children.kill_all()
    if os.path.basename(tempfile.gettempdir()).startswith("bench-"):  # noqa: PTH119 - its holder made it for it alone
        shutil.rmtree(tempfile.gettempdir(), ignore_errors=True)
    os._exit(0)


if __name__ == "__main__":
    main()
