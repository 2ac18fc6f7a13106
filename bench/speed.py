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
from bench.record import Record
from bench.subjects import OURS, PEERS, peer
from bench.summary import figures, print_table, publish
from config import PROJECT, whole_environment

RESULTS = PROJECT / ".runs" / "bench" / "speed.jsonl"
DOCS = PROJECT / "docs" / "figures"
KEY = ("kind", "subject", "turns", "repeat")
REPEATS = {0: 5, 1: 3, 50: 3, 200: 2, 400: 1}  # turns: how often; long runs vary little


def main(arguments: list[str]) -> int:
    """Measure what is not measured yet, print the table; exit code 0, 1 for usage, 130 when interrupted."""
    options = parser().parse_args(arguments)
    if sys.platform == "win32":
        print("Error: the bench needs wait4(2); run it on Linux or macOS, or in WSL.", file=sys.stderr)
        return 1
    record = Record(options.out, KEY, lambda line: options.fresh and options.only in ("", line["kind"]))
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as place:
            run_all(list(tasks(options, Path(place))), record)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print_table(figures(record.lines))
    if options.publish:
        publish(record.lines, DOCS)
    return 0


def parser() -> argparse.ArgumentParser:
    build = argparse.ArgumentParser(prog="python -m bench speed", description=__doc__)
    build.add_argument("--peers", default="", help=f"agents to measure too, after installing them: {','.join(PEERS)}")
    build.add_argument("--turns", default="0,1,50,200,400", help="lengths of a run; 0 is the start alone")
    build.add_argument("--repeats", type=int, default=0, help="how often each (default: 5 for short runs, 1 for long)")
    build.add_argument("--only", default="", help="only what is called so: run, parallel, search, start")
    build.add_argument("--out", type=Path, default=RESULTS, help="JSON lines (default .runs/bench/speed.jsonl)")
    build.add_argument("--fresh", action="store_true", help="forget what was measured before (with --only: only that)")
    build.add_argument("--publish", action="store_true", help="write the table and the charts of docs/figures")
    return build


def tasks(options: argparse.Namespace, place: Path) -> Iterator[Task]:
    """Everything to measure. What is compared stands side by side in time, because machines have moods."""
    subjects = [*OURS, *(peer(name) for name in options.peers.split(",") if name)]
    if options.only in ("", "run", "parallel"):
        compile_all((subject.python for subject in subjects), whole_environment())
        agents.warm(subjects, place)
    wanted = {
        "start": places.start(options.repeats or 30, place),
        "search": places.search(options.repeats or 5, place),
        "parallel": agents.parallel(subjects, options.repeats or 3, place),
        "run": agents.runs(subjects, lengths(options), place),
    }
    for name, several in wanted.items():
        if options.only in ("", name):
            yield from several


def lengths(options: argparse.Namespace) -> dict[int, int]:
    """How often each length of a run is measured."""
    turns = [int(text) for text in options.turns.split(",")]
    return {each: options.repeats or REPEATS.get(each, 1) for each in turns}
