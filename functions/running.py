"""Python, as a tool runs it: behind the walls, for as long as a tool may, and with names that the model knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from config import RUN_SECONDS
from sandbox.files.root import Refusal, Root
from sandbox.running.levels import level
from sandbox.running.process import Limits, Outcome, run_python

# Where Python itself names a place, in tracebacks and warnings. What the program prints stays as it is.
PLACE = r'^(\s*(?:File ")?){}/(?=[^"\n]*", line \d+|[^\n:]*\.py:\d+: )'


def run_code(root: Root, arguments: Sequence[str], *, readable: Sequence[Path] = ()) -> Outcome:
    """Run Python with these arguments, for as long as a tool may; tracebacks name files as the model knows them.
    `readable` are further folders that the code may read.

    Raises Refusal where nothing would confine the code, unless the person allowed that.
    """
    refuse_unconfined(root)
    outcome = run_python(root, arguments, limits=Limits(seconds=RUN_SECONDS), readable=readable)
    place = re.compile(PLACE.format(re.escape(str(root.path))), re.MULTILINE)
    return replace(outcome, stdout=place.sub(r"\1", outcome.stdout), stderr=place.sub(r"\1", outcome.stderr))


def refuse_unconfined(root: Root) -> None:
    """Raise Refusal where nothing would confine code that runs in this directory, unless the person allowed that."""
    if not root.allow_unconfined and not level().confined:
        raise Refusal(
            "Code is not run here, because this system has no wall to hold it in and the person has not allowed it "
            "(--allow-unconfined). You can still read and edit files; say in your answer that nothing was run",
            "unconfined",
        )


def why_stopped(outcome: Outcome) -> str:
    """Say which limit ended a run, and what to look for."""
    return {
        "time": f"was stopped after {RUN_SECONDS:g} seconds; look for an endless loop, or for input that it waits for",
        "memory": "was stopped because it used too much memory",
        "output": "was stopped because it printed too much",
        "processes": "was stopped because it started too many processes",
        "disk": "was stopped because it wrote too much",
        "cancelled": "was stopped by the person",
    }.get(outcome.stopped_for or "", f"was stopped ({outcome.stopped_for})")
