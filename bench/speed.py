"""`python -m bench speed`: what this agent costs beside a bare SDK loop and beside other agents, as ratios.

Everything runs here, in one run, against a server that answers at once. Interrupted, it goes on where it stopped.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import agents, places
from bench.compiled import compile_all
from bench.progress import Task, run_all
from bench.record import Line, Record
from bench.subjects import OURS, PEERS, peer
from bench.summary import figures, publish, tables
from config import PROJECT, whole_environment

RESULTS = PROJECT / ".runs" / "bench" / "speed.jsonl"
DOCS = PROJECT / "docs" / "figures"
KEY = ("kind", "subject", "turns", "repeat")
PARTS = {
    "start": "an agent's start to its first request",
    "run": "an agent's cost over 1 to 400 turns",
    "parallel": "eight tools in one turn",
    "search": "search in 10,000 files",
    "sandbox": "the start of a program behind the walls",
}
REPEATS = {0: 5, 1: 3, 50: 3, 200: 2, 400: 1}  # turns: how often; long runs vary little


def main(arguments: list[str]) -> int:
    """Measure what is not measured yet, print the table; exit code 0, 1 for usage, 130 when interrupted."""
    options = parser().parse_args(arguments)
    if sys.platform == "win32":
        print("Error: the bench needs wait4(2); run it on Linux or macOS, or in WSL.", file=sys.stderr)
        return 1
    try:
        with (
            Record(options.out, KEY, lambda line: options.fresh and options.only in ("", part_of(line))) as record,
            tempfile.TemporaryDirectory(prefix="bench-") as place,
        ):
            run_all(list(tasks(options, Path(place))), record)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    lines = list(record.lines)
    print(tables(figures([line for line in lines if options.only in ("", part_of(line))])))
    if options.publish:
        publish(lines, DOCS)
    return 0


def parser() -> argparse.ArgumentParser:
    build = argparse.ArgumentParser(prog="python -m bench speed", description=__doc__)
    build.add_argument("--peers", default="", help=f"agents to measure too, after installing them: {','.join(PEERS)}")
    build.add_argument("--turns", default="0,1,50,200,400", help="lengths of a run; 0 is the start alone")
    build.add_argument("--repeats", type=int, default=0, help="how often each (default: 5 for short runs, 1 for long)")
    parts = "; ".join(f"{name}: {what}" for name, what in PARTS.items())
    build.add_argument("--only", default="", choices=PARTS, metavar="PART", help=f"one part alone ({parts})")
    build.add_argument("--out", type=Path, default=RESULTS, help="JSON lines (default .runs/bench/speed.jsonl)")
    build.add_argument("--fresh", action="store_true", help="forget what was measured before (with --only: only that)")
    build.add_argument("--publish", action="store_true", help="write the table and the charts of docs/figures")
    return build


def tasks(options: argparse.Namespace, place: Path) -> Iterator[Task]:
    """Everything to measure. What is compared stands side by side in time, because machines have moods."""
    subjects = [*OURS, *(peer(name) for name in options.peers.split(",") if name)]
    if options.only in ("", "start", "run", "parallel"):
        compile_all((subject.python for subject in subjects), whole_environment())
        agents.warm(subjects, place)
    several = lengths(options)
    wanted = {
        "sandbox": places.start(options.repeats or 30, place),
        "search": places.search(options.repeats or 5, place),
        "parallel": agents.parallel(subjects, options.repeats or 3, place),
        "start": agents.runs(subjects, {turns: often for turns, often in several.items() if not turns}, place),
        "run": agents.runs(subjects, {turns: often for turns, often in several.items() if turns}, place),
    }
    for name, measurements in wanted.items():
        if options.only in ("", name):
            yield from measurements


def part_of(line: Line) -> str:
    """Which part a recorded line belongs to."""
    if line["kind"] == "run":
        return "run" if line["turns"] else "start"
    return "sandbox" if line["kind"] == "start" else line["kind"]


def lengths(options: argparse.Namespace) -> dict[int, int]:
    """How often each length of a run is measured."""
    turns = [int(text) for text in options.turns.split(",")]
    return {each: options.repeats or REPEATS.get(each, 1) for each in turns}
