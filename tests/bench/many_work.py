"""What tasks of the tests of bench/many do; a worker imports it by name."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import children

Line = dict[str, Any]


def square(data: Line) -> Line:
    time.sleep(data.get("seconds", 0))
    return {"solved": True, "value": data["number"] ** 2, "seed": data["seed"]}


def wait(data: Line) -> Line:
    """Go on when a file is there."""
    while not Path(data["until"]).exists():
        time.sleep(0.01)
    trace = {"kind": "run", "at": 0.0, "format": 1, "prompt": "fix the bug", "provider": "offline"}
    found = {"solved": data["number"] != 1, "cause": "its tests still fail" if data["number"] == 1 else ""}
    return {**found, "turns": 1, "stop_reason": "answered", "trace": f"{json.dumps(trace)}\n"}


def fail(data: Line) -> Line:
    raise ValueError("nothing that a bench could know of")


def cost(data: Line) -> Line:
    return {"solved": True, "tokens": {"input": 40, "output": 10}}


def die(data: Line) -> Line:
    """Kill the worker's process, as a machine that runs out of memory does, until the folder holds `times` files."""
    folder = Path(data["folder"])
    before = len(list(folder.iterdir()))
    if before < data["times"]:
        (folder / str(before)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"solved": True}


def hang(data: Line) -> Line:
    """Start a process as an attempt does, tell its number, and wait for it."""
    program = f"import os, time; open({data['told']!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    with contextlib.suppress(subprocess.TimeoutExpired):
        children.run([sys.executable, "-c", program], 600, dict(os.environ), Path.cwd())
    return {"solved": True}


def ask(data: Line) -> Line:
    """One run of the agent's own loop, on the provider that the task's environment names."""
    from config import load_settings
    from jobs import coder
    from main import run_agent
    from sandbox.files.root import Root

    settings = load_settings(environment=data["environment"])
    with tempfile.TemporaryDirectory() as place, Root(Path(place)) as root:
        result = run_agent("Say done.", settings, coder.JOB.begin("lmstudio", root, settings))
    return {"solved": result.answer == "Done.", "cause": "; ".join(result.errors)}
