"""`python -m bench quality`: how many tasks a model solves in this agent, how sure that is, and what it costs.

Interrupted, it goes on where it stopped. `--compare A B` says whether the second record is better than the first.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import attempts as coding
from bench import operating
from bench.many.command import Made, add_options, chosen, make, measured_or_shown
from bench.many.comparison import print_comparison
from bench.many.gateway import add_limits, limits_held
from bench.many.page import write_page
from bench.many.table import by_group, interval, made
from bench.many.task import Task, digest
from bench.record import Line, read
from config import PROJECT, PROVIDERS

DOCS = PROJECT / "docs" / "figures"
JOBS = {"coder": coding, "operator": operating}  # whose tasks are tried, and by what they are judged


def main(arguments: list[str]) -> int:
    """Run what is asked for; exit code 0, 1 for usage or when records are not the same, 3 when the budget is used up,
    130 when interrupted."""
    options = parser().parse_args(arguments)
    return measured_or_shown(options, measure, compare=print_comparison, same=print_differences)


def parser() -> argparse.ArgumentParser:
    build = argparse.ArgumentParser(prog="python -m bench quality", description=__doc__)
    build.add_argument("--job", choices=tuple(JOBS), default="coder", help="whose tasks (default: the coder's)")
    build.add_argument("--provider", choices=(*PROVIDERS, coding.OVER_GEMINI), default="offline", help="whom to ask")
    build.add_argument("--repeats", type=int, default=1, help="how often each task is tried (default 1)")
    build.add_argument("--tasks", type=Path, help="a folder of programs (default: the calculator, datasets/bugs/open)")
    build.add_argument("--only", default="", help="only the tasks whose name contains this")
    build.add_argument("--seconds", type=float, default=300.0, help="for one attempt (default 300)")
    build.add_argument("--traces", action="store_true", help="keep the trace and the page of each run")
    build.add_argument("--publish", action="store_true", help="write the summary and the lines into docs/figures")
    build.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="is record B better than record A?")
    build.add_argument("--same", nargs=2, type=Path, metavar=("A", "B"), help="are both the same to the last call?")
    add_options(build)
    add_limits(build)
    return build


def measure(options: argparse.Namespace) -> int:
    """Try every task as often as asked for, and print what came of it."""
    every = {problem.name: problem for problem in JOBS[options.job].problems(options.tasks)}
    problems = [every[name] for name in chosen(sorted(every), options.only)]
    name = options.provider if options.job == "coder" else f"{options.job}-{options.provider}"
    about = {
        "bench": "quality",
        "job": options.job,
        "provider": options.provider,
        "model": coding.model_asked(options.provider),
        "set": digest([JOBS[options.job].task_of(every[name]) for name in sorted(every)]),
    }
    total = len(problems) * options.repeats
    with limits_held(options) as environment:
        batch = make(options, tasks(problems, options, environment), total, about, f"quality-{name}")
    told = summary(batch.lines)
    print("\n\n".join([told, by_group(batch.lines, lambda line: line["task"])] if options.repeats > 1 else [told]))
    print(f"page: {write_page(batch.path, batch.lines, batch.total)}", file=sys.stderr)
    if options.publish:
        publish(told, batch, name)
    return batch.code


def tasks(problems: Sequence[Any], options: argparse.Namespace, environment: Mapping[str, str]) -> Iterator[Task]:
    """Every attempt that is asked for, each with all that it needs; `environment` is set beside the machine's own."""
    judge = JOBS[options.job]
    limit = options.seconds + 2 * coding.JUDGE_SECONDS + 30
    asked = {"provider": options.provider, "seconds": options.seconds, "traces": options.traces}
    for repeat in range(options.repeats):
        for problem in problems:
            data = {**judge.task_of(problem), **asked, "environment": environment}
            yield Task(problem.name, repeat, f"{judge.__name__}:attempt", data, limit)


def summary(every: Sequence[Line]) -> str:
    """Return the pass rate with its interval, tokens, seconds, stop reasons, and failures by cause, as lines."""
    lines = [line for line in every if made(line)]
    solved = sum(line["solved"] for line in lines)
    told = [f"solved     {solved} of {len(lines)} ({interval(solved, len(lines))} % with 95 % confidence)"]
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


def publish(told: str, batch: Made, name: str) -> None:
    """Write the summary and the lines into the docs."""
    machine = next(line for line in read(batch.path) if line.get("kind") == "machine")
    where = "{date}: {processor}, {cores} cores, {system}, Python {python}".format(**machine)
    text = f"`python -m bench quality`, {name}, measured on {where}:\n\n```text\n{told}\n```\n"
    (DOCS / f"quality-{name}.txt").write_text(text, encoding="utf-8")
    short = ({name: value for name, value in line.items() if name != "answer"} for line in batch.lines)
    lines = "".join(json.dumps(line) + "\n" for line in [machine, *short])
    (DOCS / f"quality-{name}.jsonl").write_text(lines, encoding="utf-8")


def attempts(path: Path) -> dict[tuple[str, int], Line]:
    """The attempts of a record, by task and repeat."""
    return {(line["task"], line["repeat"]): line for line in read(path) if line.get("kind") == "attempt"}


def print_differences(a: Path, b: Path) -> int:
    """Compare two records call by call; exit code 0 when they are the same, 1 when they are not."""
    first, second = attempts(a), attempts(b)
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
