"""`python -m bench many`: what a batch costs beside its runs: milliseconds a run, and the coordinator's memory.

Each run is the agent's own loop against a scripted model that answers after 50 ms, and times itself; what the workers'
time holds beyond that is the batch's. `--simulate` puts workers that answer at once in the place of real ones, so that
what is left is the coordinator: its seconds, its memory and its file.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.many.batch import KEY, Engine, Rules, Tally, run
from bench.many.command import add_options, engine_of
from bench.many.task import Task
from bench.record import Line, Record
from config import ConfigError, Settings

MODEL_SECONDS = 0.05
MARKS = (200, 2_000, 20_000, 100_000)  # records after which the memory is told
_served = contextlib.ExitStack()


def main(arguments: list[str]) -> int:
    """Measure and print; exit code 0, 1 for usage."""
    parser = argparse.ArgumentParser(prog="python -m bench many", description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000, help="how many (default 2,000)")
    parser.add_argument("--simulate", action="store_true", help="only the coordinator: no run is really made")
    add_options(parser)
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as place:
            measure(options, Path(place, "record.jsonl"))
    except KeyboardInterrupt:
        return 130
    except (OSError, ConfigError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


def measure(options: argparse.Namespace, path: Path) -> None:
    """Make the runs, and print what they cost."""

    def show(tally: Tally, line: Line | None) -> None:
        if line and tally.done in MARKS:
            print(f"{tally.done:>7,} records: {memory():.1f} MB of memory, {path.stat().st_size / 1e6:.1f} MB of file")

    with Record(path, KEY) as record:
        with Simulated(options.workers) if options.simulate else engine_of(options) as engine:
            began = time.perf_counter()
            run(tasks(options.runs), record, engine, Rules(), Tally(options.runs), show)
            elapsed = time.perf_counter() - began
        lines = [line for line in record.lines if line["kind"] == "attempt"]
    assert len({line["task"] for line in lines}) == len(lines) == options.runs, "a record is missing, or there twice"
    if options.simulate:
        print(f"{options.runs:,} records in {elapsed:.1f} s: {1000 * elapsed / options.runs:.2f} ms each")
        return
    alone = [line["alone"] for line in lines]
    over = 1000 * (elapsed * options.workers - sum(alone)) / len(alone)
    told = f"a run alone {1000 * statistics.mean(alone):.1f} ms, the batch adds {over:.1f} ms to each"
    print(f"{options.runs:,} runs in {elapsed:.1f} s by {options.workers} workers: {told}")


def tasks(count: int) -> Iterator[Task]:
    for number in range(count):
        yield Task(f"scripted-{number}", 0, "bench.overhead:scripted", {}, 60)


def scripted(data: Line) -> Line:
    """One run of the agent, in a folder of its own, against the scripted model: the work of one task."""
    from jobs import coder
    from main import run_agent
    from sandbox.files.root import Root

    settings = asked()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="bench-") as place, Root(Path(place)) as root:
        settings = replace(settings, working_directory=Path(place))
        result = run_agent("Say done.", settings, coder.JOB.begin("lmstudio", root, settings))
    told = {"answer": result.answer, "tokens": {"input": result.tokens.input, "output": result.tokens.output}}
    return {**told, "solved": result.answer == "Done.", "alone": time.perf_counter() - began}


@functools.cache
def asked() -> Settings:
    """Settings that lead to a scripted model, which is served as long as this process lives."""
    from offline.script import Step, say
    from offline.scripted import serving

    def answer(*_: Any) -> Step:
        time.sleep(MODEL_SECONDS)
        return say("Done.")

    server = _served.enter_context(serving(script=answer))
    return Settings(lmstudio_base_url=f"{server.address}/v1")


class Simulated:
    """Workers that have done a task as soon as it is theirs."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was begun."""

    def slots(self) -> int:
        return self._workers

    def submit(self, task: Line, lost_by: Iterable[str]) -> Future[Line]:
        future: Future[Line] = Future()
        about = {"glassbox": "0.1.0+00000000", "python": "3.12.0", "machine": "simulated", "wall": "full"}
        tokens = {"input": 1234, "output": 56}
        ended = {"stop_reason": "answered", "solved": True, "cause": "", "seconds": 1.234, "tokens": tokens}
        future.set_result({"outcome": "done", **about, **ended})
        return future

    def outcome(self, future: Future[Line]) -> Line:
        return future.result()

    def refused(self, by: str) -> bool:
        return False

    def stop(self) -> None:
        """Nothing runs."""


def memory() -> float:
    """What this process holds in memory now, in megabytes (Linux; elsewhere the most that it held so far)."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1e3
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
