"""The page of a batch: a square for each run, sorted by task; a click says what the run's record holds, and leads to
the run's own page where its trace was kept. It needs nothing else, as the page of a run does (records/page.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.contracts import STOP_REASONS
from bench.many.table import interval, made
from bench.record import Line
from records import page

TEMPLATE = Path(__file__).with_name("page.html")


def keep_trace(line: Line, path: Path) -> Line:
    """Put the trace that came with a record into a folder beside the file `path`; the record then names the folder."""
    if "trace" not in line:
        return line
    name = re.sub(r"[^\w.-]+", "-", f"{line['task']}-{line['repeat']}")
    folder = path.with_suffix("") / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "trace.jsonl").write_text(line["trace"], encoding="utf-8")
    (folder / "trace.html").unlink(missing_ok=True)  # the page of an earlier run
    return {**line, "trace": f"{path.stem}/{name}"}


def write_page(path: Path, lines: Sequence[Line], total: int = 0) -> Path:
    """Write the page of a batch, and those of its runs, beside its record `path`; return where it is. One with fewer
    lines than `total` says that the batch had not ended."""
    for line in lines:
        if line.get("trace") and not (path.parent / line["trace"] / "trace.html").exists():
            page.write_page([path.parent / line["trace"]])
    target = path.with_suffix(".html")
    target.write_text(page.filled(TEMPLATE, data_of(path.stem, lines, total)), encoding="utf-8")
    return target


def data_of(name: str, lines: Sequence[Line], total: int = 0) -> dict[str, Any]:
    """What the page is filled with."""
    runs = sorted(lines, key=lambda line: (line["task"], line["repeat"]))
    return {"name": name, **figures(lines), "total": max(total, len(runs)), "runs": runs, "ends": STOP_REASONS}


def figures(lines: Sequence[Line]) -> Line:
    """How many runs came to their end, how many of them are right, and the 95 % interval of the share."""
    ended = [line for line in lines if made(line)]
    right = sum(bool(line["solved"]) for line in ended)
    return {"right": right, "ended": len(ended), "interval": interval(right, len(ended))}
