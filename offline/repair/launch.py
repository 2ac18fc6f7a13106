"""Starting the search's child process and listening to it. The one place that knows how it is confined."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from sandbox.files.root import Root
from sandbox.running.process import Limits, run_python

WORKER = Path(__file__).with_name("worker.py")
LIMITS = {"memory_bytes": 480 * 2**20, "output_bytes": 400_000, "processes": 32}
ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}


def launch(
    directory: Path, seconds: float, seed: int, on_output: Callable[[bytes], None], cancelled: threading.Event
) -> str:
    """Run the worker in a directory until it ends, `seconds` pass or `cancelled` is set.

    `seed` decides the order of sets in the program under repair. The worker's standard output goes to `on_output` as it
    comes; what it said on standard error is returned.
    """
    with Root(directory) as root:
        outcome = run_python(
            root,
            [str(WORKER)],
            limits=Limits(seconds=seconds, **LIMITS),
            cancelled=cancelled,
            on_output=on_output,
            readable=[WORKER.parent],
            environment={**ENVIRONMENT, "PYTHONHASHSEED": str(seed % 2**32)},
        )
    return outcome.stderr
