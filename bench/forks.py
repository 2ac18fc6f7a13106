"""`python -m bench fork RUN:STEP --times 20`: go on many times from one step of a run, and say what share ended how.

Each branch is a run like any other: `--runs` lists it below its parent. Interrupted, it goes on where it stopped; with
a larger --times it makes what is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import children
from bench.chance import wilson
from bench.many.command import add_options, make, measured_or_shown
from bench.many.table import columns, interval, made
from bench.many.task import Task, digest
from bench.record import Line
from cli.editing import from_file
from cli.fork import place
from config import PROJECT, PROVIDERS, ConfigError, load_settings, whole_environment
from records.folders import read_events, result_of
from records.fork import KEPT, fork_at
from records.page import patch_of

LONGEST = 120  # characters of an outcome


def main(arguments: list[str]) -> int:
    """Make the branches and print their outcomes; exit code 0, 1 for usage, 3 when the budget is used up."""
    build = argparse.ArgumentParser(prog="python -m bench fork", description=__doc__)
    build.add_argument("run", metavar="RUN:STEP", help="the step to go on from; a step alone is one of the last run")
    build.add_argument("--times", type=int, default=20, metavar="N", help="how many branches (default 20)")
    build.add_argument(
        "--edit", metavar="FILE", help="what stands there instead, as with main.py --fork (-: from stdin)"
    )
    build.add_argument("--provider", choices=PROVIDERS, help="whom to ask (default: whom the parent asked)")
    build.add_argument("--model", metavar="NAME", help="which of its models")
    build.add_argument("--seconds", type=float, default=600.0, help="for one branch (default 600)")
    build.add_argument("--json", action="store_true", help="print the outcomes as JSON, a line after each branch")
    add_options(build)
    return measured_or_shown(build.parse_args(arguments), measure)


def measure(options: argparse.Namespace) -> int:
    """Make every branch that is asked for, and tell what came of them."""
    if options.cluster:
        raise ConfigError("branches are made on this machine, where their parent is; leave out --cluster.")
    settings = load_settings({})
    parent, step = place(settings, options.run)
    forked = fork_at(parent, step)
    changes = from_file(forked, options.edit) if options.edit else {}
    forked.with_changes(changes)  # refused here, and not in each branch
    asked = {"run": f"{parent.name}:{step}", "changes": changes, "provider": options.provider, "model": options.model}
    about = {"bench": "fork", "provider": options.provider, "model": options.model, "set": digest(asked)}
    limit = options.seconds + 30
    data = {**asked, "seconds": options.seconds}
    tasks = (Task(asked["run"], number, "bench.forks:branch", data, limit) for number in range(options.times))
    lines: list[Line] = []

    def heard(line: Line, _: object) -> None:
        lines.append(line)
        if options.json:
            print(json.dumps(outcomes(lines)), flush=True)

    name = f"fork-{parent.name}-{step}-{digest(asked)}"
    options.out = options.out or settings.runs_directory / "bench" / f"{name}.jsonl"
    batch = make(options, tasks, options.times, about, name, heard)
    if not options.json:
        print(told(outcomes(batch.lines)))
    return batch.code


def branch(data: Mapping[str, Any]) -> Line:
    """A task: one branch, in a process of the program itself; what came of it, and the name of its run."""
    command = [sys.executable, str(PROJECT / "main.py"), "--fork", data["run"], "--plain"]
    command += [f"--{name}={data[name]}" for name in ("provider", "model") if data[name]]
    environment = {**whole_environment(), "GLASSBOX_KEEP_RUNS": "0"}  # or the first would be gone when the last is made
    with tempfile.TemporaryDirectory() as scratch:
        if data["changes"]:
            (changes := Path(scratch, "changes.json")).write_text(json.dumps(data["changes"]), encoding="utf-8")
            command += ["--edit", str(changes)]
        ran = children.run(command, data["seconds"], environment, PROJECT)
    name = next((line.removeprefix(KEPT) for line in ran.stderr.splitlines() if line.startswith(KEPT)), "")
    folder = load_settings({}).runs_directory / name
    if not name or not (folder / "trace.jsonl").is_file():
        said = [line for line in ran.stderr.splitlines() if line.strip()]
        return {"outcome": "error", "cause": said[-1] if said else "the branch did not begin"}
    result = result_of(folder)
    answered = result["stop_reason"] == "answered"
    return {"solved": answered, "ended": ended(folder, result), "run": name, "tokens": result["tokens"]}


def ended(folder: Path, result: Mapping[str, Any]) -> str:
    """How a run ended, in words that are the same for runs that ended alike: what it changed and what the tests said
    then, or what it answered where it changed nothing."""
    stop = result["stop_reason"].replace("_", " ")
    verdicts = [event.get("verdict") for event in read_events(folder) if event["kind"] == "call_finished"]
    tests = next((re.sub(r" \(.*", "", verdict["line"]) for verdict in reversed(verdicts) if verdict), "")
    patch = patch_of(folder)
    if not patch:
        return _short("; ".join(filter(None, [stop, tests, f"“{result['answer'] or ''}”"])))
    added = [line[1:] for line in patch.splitlines() if line.startswith("+") and not line.startswith("+++")]
    change = _short(added[0] if added else "lines deleted", LONGEST // 2)
    return "; ".join(filter(None, [stop, tests, f"{change} (change {digest(patch)[:6]})"]))


def outcomes(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Each outcome, the most frequent first: its share with the 95 % interval, and the runs behind it. Branches that
    could not be made stand under their cause and count in no share."""
    whole = [line for line in lines if made(line)]
    groups: dict[tuple[bool, str], list[str]] = {}
    for line in lines:
        is_made = made(line)
        told = line["ended"] if is_made else f"not made: {line.get('cause', '')}"
        groups.setdefault((is_made, told), []).append(line.get("run", ""))
    found = []
    for (is_made, told), runs in sorted(groups.items(), key=lambda each: (not each[0][0], -len(each[1]), each[0][1])):
        low, high = wilson(len(runs), len(whole)) if is_made else (0.0, 0.0)
        share = len(runs) / len(whole) if is_made else 0.0
        found.append({"ended": told, "of": len(whole), "share": share, "low": low, "high": high, "runs": runs})
    return found


def told(found: Sequence[Mapping[str, Any]]) -> str:
    """The outcomes as a table, and below it the runs behind each."""
    rows = [
        (each["ended"], str(len(each["runs"])), f"{100 * each['share']:.0f} %", interval(len(each["runs"]), each["of"]))
        if each["high"]
        else (each["ended"], str(len(each["runs"])), "", "")
        for each in found
    ]
    behind = [
        f"{each['ended']}\n" + "\n".join(f"  {run}" for run in each["runs"]) for each in found if any(each["runs"])
    ]
    return "\n\n".join([columns(("", "runs", "share", "95 %"), rows), *behind])


def _short(text: str, most: int = LONGEST) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
