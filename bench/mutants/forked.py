"""Runs chosen tests again and again, each time in a process that is split off: what is imported once stays imported.

Started by measure.py in the copy whose code it changes. A line of standard input is an order, a line of standard output
its answer, both JSON: {"tests": [...]} gives {"noticed": true or false}; {"watch": [files], "tests": [...]} gives which
tests pass through which line, and how long each takes. No module of the program may be imported here.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]

import coverage  # noqa: E402  (after the path, as below)
import pytest  # noqa: E402

for slow in ("google.genai", "hypothesis", "openai", "rich.console"):  # once, for all processes that are split off
    importlib.import_module(slow)

QUIETLY = ["-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:randomly"]


class Watcher:
    """A plugin of pytest: says to coverage which test is running, and takes the time."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        began = time.perf_counter()
        self.measured.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.measured.switch_context("")
            self.seconds[item.nodeid] = time.perf_counter() - began


def watch(files: list[str], tests: list[str], basetemp: str) -> dict[str, Any]:
    """{"failed": bool, "seconds": {test: seconds}, "tests": {file: {line: [tests]}}}."""
    measured = coverage.Coverage(data_file=None, include=files, config_file=False)
    watcher = Watcher(measured)
    measured.start()
    try:
        code = pytest.main([*QUIETLY, f"--basetemp={basetemp}", *tests], plugins=[watcher])
    finally:
        measured.stop()
    data = measured.get_data()
    through = {}
    for name in files:
        lines = data.contexts_by_lineno(str(Path(name).resolve()))
        through[name] = {line: sorted(filter(None, tests)) for line, tests in lines.items()}
    return {"failed": code != 0, "seconds": watcher.seconds, "tests": through}


def split_off(work: Callable[[str], Any], seconds: float) -> Any:
    """What the work returns, done in a process of its own; None when that dies or takes longer."""
    reader, writer = os.pipe()
    with tempfile.TemporaryDirectory(prefix="glassbox-mutant-", ignore_cleanup_errors=True) as place:
        if not (child := os.fork()):
            os.setsid()
            os.close(reader)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            code = 1
            try:
                answer = json.dumps(work(f"{place}/tests")).encode()
                with os.fdopen(writer, "wb") as out:
                    out.write(answer)
                code = 0
            finally:
                os._exit(code)
        os.close(writer)
        alarm = threading.Timer(seconds, _kill, (child,))
        alarm.start()
        with os.fdopen(reader, "rb") as told:
            answer = told.read()
        alarm.cancel()
        os.waitpid(child, 0)
        _kill(child)  # what it started
    return json.loads(answer) if answer else None


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def serve() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        tests = order["tests"]
        if "watch" in order:
            answer = split_off(
                lambda place, order=order: watch(order["watch"], order["tests"], place), order["seconds"]
            )
        else:
            run = split_off(
                lambda place, tests=tests: int(pytest.main([*QUIETLY, "-x", f"--basetemp={place}", *tests])),
                order["seconds"],
            )
            answer = {"noticed": run != 0}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
