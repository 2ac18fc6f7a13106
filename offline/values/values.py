"""What a line does with the values that a failing test gives it: run the test once in a sandboxed copy and watch."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from offline.repair.reading.project import read_project
from sandbox.files.root import Root
from sandbox.running.process import Limits, run_python

WORKER = Path(__file__).with_name("worker.py")
LIMITS = Limits(seconds=20.0, memory_bytes=512 * 2**20, output_bytes=100_000, processes=32)


@dataclass(frozen=True)
class Seen:
    """The values of a line's names before it ran, those that were others after it, and how it ended: "returns 6",
    "raises KeyError: 'a'" or "". All are Python expressions as text, at most 80 characters each."""

    values: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)
    outcome: str = ""


def values_at(
    files: Mapping[str, str], test: str, path: str, lines: tuple[int, int], cancelled: threading.Event
) -> Seen | None:
    """Run one test and watch the lines of a file, first and last. None when the test never comes there."""
    with tempfile.TemporaryDirectory(prefix="values-", ignore_cleanup_errors=True) as place:
        for name, text in files.items():
            target = Path(place, "program", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8", errors="surrogatepass")
        roots = read_project(files).import_roots
        request = {"test": test, "path": path, "first": lines[0], "last": lines[1], "roots": roots}
        Path(place, "request.json").write_text(json.dumps(request), "utf-8")
        with Root(place) as root:
            outcome = run_python(root, [str(WORKER)], limits=LIMITS, cancelled=cancelled, readable=[WORKER.parent])
    try:
        told = json.loads(outcome.stdout.strip().splitlines()[-1])
        return Seen(dict(told["values"]), dict(told.get("after", {})), str(told.get("outcome", "")))
    except (ValueError, LookupError, TypeError):  # nothing was seen, or the program wrote something of its own
        return None
