"""`python -m bench quality`: how many tasks a model solves in this agent, how sure that is, and what it costs.

Interrupted, it goes on where it stopped. `--compare A B` says whether the second record is better than the first.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import attempts as coding
from bench import operating
from bench.chance import compare, wilson
from bench.progress import Task, run_all
from bench.record import Line, Record, read
from config import PROJECT, PROVIDERS

FOLDER = PROJECT / ".runs" / "bench"
DOCS = PROJECT / "docs" / "figures"
JOBS = {"coder": coding, "operator": operating}  # whose tasks are tried, and by what they are judged
KEY = ("kind", "task", "repeat")
OVER_GEMINI = "offline-gemini"  # the built-in model, asked over the Gemini wire


def main(arguments: list[str]) -> int:
    """Run what is asked for; exit code 0, 1 for usage or when records are not the same, 130 when interrupted."""
    options = parser().parse_args(arguments)
    try:
        if options.compare:
            return print_comparison(*options.compare)
        if options.same:
            return print_differences(*options.same)
        return measure(options)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    build = argparse.ArgumentParser(prog="python -m bench quality", description=__doc__)
    build.add_argument("--job", choices=tuple(JOBS), default="coder", help="whose tasks (default: the coder's)")
    build.add_argument("--provider", choices=(*PROVIDERS, OVER_GEMINI), default="offline", help="whom to ask")
    build.add_argument("--repeats", type=int, default=1, help="how often each task is tried (default 1)")
    build.add_argument("--tasks", type=Path, help="a folder of programs (default: the calculator and bench/bugs/open)")
    build.add_argument("--only", default="", help="only the tasks whose name contains this")
    build.add_argument("--seconds", type=float, default=300.0, help="for one attempt (default 300)")
    build.add_argument("--jobs", type=int, default=1, help="attempts side by side (default 1)")
    build.add_argument("--out", type=Path, help="JSON lines (default .runs/bench/quality-PROVIDER.jsonl)")
    build.add_argument("--fresh", action="store_true", help="forget what an earlier run has measured")
    build.add_argument("--publish", action="store_true", help="write the summary and the lines into docs/figures")
    build.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="is record B better than record A?")
    build.add_argument("--same", nargs=2, type=Path, metavar=("A", "B"), help="are both the same to the last call?")
    return build


def measure(options: argparse.Namespace) -> int:
    """Try every task as often as asked for, and print what came of it."""
    chosen = list(JOBS[options.job].problems(options.tasks, options.only))
    name = options.provider if options.job == "coder" else f"{options.job}-{options.provider}"
    record = Record(options.out or FOLDER / f"quality-{name}.jsonl", KEY, lambda _: options.fresh)
    with model(options.provider) as environment:
        run_all(list(tasks(chosen, options, environment)), record, options.jobs)
    names = {problem.name for problem in chosen}
    told = summary([line for line in attempts(record.lines) if line["task"] in names])
    print(told)
    if options.publish:
        publish(told, record, name)
    return 0


def tasks(chosen: Sequence[Any], options: argparse.Namespace, environment: dict[str, str]) -> Iterator[Task]:
    for repeat in range(options.repeats):
        for problem in chosen:
            line = {"kind": "attempt", "task": problem.name, "repeat": repeat}
            yield Task(line, lambda p=problem: JOBS[options.job].attempt(p, environment, options.seconds))


@contextlib.contextmanager
def model(provider: str) -> Iterator[dict[str, str]]:
    """Yield the environment that points the agent at the model; the person's own settings hold for a real one."""
    if provider != OVER_GEMINI:
        yield {"LLM_PROVIDER": provider}
        return
    from offline.wire.server import serve

    with serve() as address:
        yield {"LLM_PROVIDER": "gemini", "GEMINI_API_KEY": "none", "GEMINI_BASE_URL": address}


def attempts(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.get("kind") == "attempt"]


def summary(lines: Sequence[Line]) -> str:
    """Return the pass rate with its interval, tokens, seconds, stop reasons, and failures by cause, as lines."""
    solved = sum(line["solved"] for line in lines)
    low, high = wilson(solved, len(lines))
    told = [f"solved     {solved} of {len(lines)} ({100 * low:.0f} to {100 * high:.0f} % with 95 % confidence)"]
    for name, values in (
        ("seconds", [line["seconds"] for line in lines if "seconds" in line]),
        ("turns", [line["turns"] for line in lines if "turns" in line]),
        ("tokens in", [line["tokens"]["input"] for line in lines if line.get("tokens", {}).get("input")]),
        ("tokens out", [line["tokens"]["output"] for line in lines if line.get("tokens", {}).get("output")]),
    ):
        if values:
            told.append(f"{name:11}{statistics.median(values):,.6g} in the middle, {max(values):,.6g} at most")
    for name, field in (("ended by", "stop_reason"), ("failed by", "cause")):
        counted = Counter(line[field] for line in lines if line[field])
        if counted:
            told.append(f"{name:11}" + ", ".join(f"{cause} {count}" for cause, count in counted.most_common()))
    return "\n".join(told)


def publish(told: str, record: Record, name: str) -> None:
    """Write the summary and the lines into the docs."""
    machine = next(line for line in record.lines if line.get("kind") == "machine")
    where = "{date}: {processor}, {cores} cores, {system}, Python {python}".format(**machine)
    text = f"`python -m bench quality`, {name}, measured on {where}:\n\n```text\n{told}\n```\n"
    (DOCS / f"quality-{name}.txt").write_text(text, encoding="utf-8")
    short = (
        {field: value for field, value in line.items() if field not in ("calls", "answer")} for line in record.lines
    )
    lines = "".join(json.dumps(line) + "\n" for line in short)
    (DOCS / f"quality-{name}.jsonl").write_text(lines, encoding="utf-8")


def print_comparison(a: Path, b: Path) -> int:
    """Say "better", "worse" or "cannot tell" of record `b` beside record `a`."""
    sides = [by_task(path) for path in (a, b)]
    for path, side in zip((a, b), sides, strict=True):
        results = [passed for several in side.values() for passed in several]
        low, high = wilson(sum(results), len(results))
        print(f"{path.name}: {sum(results)} of {len(results)} ({100 * low:.0f} to {100 * high:.0f} %)")
    print(compare(*sides))
    return 0


def by_task(path: Path) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = defaultdict(list)
    for line in attempts(list(read(path))):
        found[line["task"]].append(line["solved"])
    return found


def print_differences(a: Path, b: Path) -> int:
    """Compare two records call by call; exit code 0 when they are the same, 1 when they are not."""
    first, second = ({(line["task"], line["repeat"]): line for line in attempts(list(read(path)))} for path in (a, b))
    for path, lines in ((a, first), (b, second)):
        if any("calls" not in line for line in lines.values()):
            print(f"Error: {path} was published without its calls; compare the records in .runs/bench", file=sys.stderr)
            return 1
    differing = sorted(
        key for key in first.keys() | second.keys() if outline(first.get(key)) != outline(second.get(key))
    )
    calls = sum(len(line["calls"]) for line in first.values())
    print(f"{len(first)} and {len(second)} attempts, {calls} calls in the first; {len(differing)} attempts differ")
    for key in differing:
        print(f"  {key[0]}, attempt {key[1] + 1}: {first_difference(first.get(key), second.get(key))}")
    return 1 if differing else 0


def outline(line: Line | None) -> Line | None:
    """What must be the same. Characters of a result are sorted: Python tells a set in another order in each process."""
    if line is None:
        return None
    told = {name: line[name] for name in ("stop_reason", "solved", "cause")}
    return {**told, "calls": [outline_of(call) for call in line["calls"]]}


def outline_of(call: Line) -> Line:
    return {**call, "result": sorted(call["result"])}


def first_difference(a: Line | None, b: Line | None) -> str:
    if a is None or b is None:
        return "only in one of them"
    for number, (left, right) in enumerate(zip(a["calls"], b["calls"], strict=False), 1):
        if outline_of(left) != outline_of(right):
            return f"call {number}: {left['name']} {left['arguments']} | {right['name']} {right['arguments']}"
    return f"{len(a['calls'])} and {len(b['calls'])} calls, {a['cause'] or 'solved'} and {b['cause'] or 'solved'}"
