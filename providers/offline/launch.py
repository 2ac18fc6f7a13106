"""Starting the search's child process and listening to it. The one place that knows how it is confined."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

WORKER = Path(__file__).with_name("worker.py")


def launch(directory: Path, seconds: float, on_output: Callable[[bytes], None], cancelled: threading.Event) -> None:
    """Run the worker in a directory until it ends, `seconds` pass or `cancelled` is set; its stdout goes to on_output."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    child = subprocess.Popen(
        [sys.executable, "-s", str(WORKER)],
        cwd=directory,
        env=environment,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if os.environ.get("REPAIR_DEBUG") else subprocess.DEVNULL,
    )
    ended = threading.Event()

    def watch() -> None:
        import time

        deadline = time.monotonic() + seconds
        while not ended.wait(0.05):
            if cancelled.is_set() or time.monotonic() > deadline:
                os.killpg(child.pid, signal.SIGTERM)
                if not ended.wait(0.3):
                    os.killpg(child.pid, signal.SIGKILL)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    assert child.stdout is not None
    for line in child.stdout:
        on_output(line)
    child.wait()
    ended.set()
    watcher.join()
