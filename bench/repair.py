"""`python -m bench repair`: run the built-in model's repairer over a set of buggy programs and count what it repaired.

A case is truly repaired when its held-back tests, which the repairer never sees, pass as well.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import assignments
from bench.many.command import add_options, chosen, make, measured_or_shown
from bench.many.comparison import print_comparison
from bench.many.page import write_page
from bench.many.progress_line import Tell
from bench.many.table import columns, interval, made
from bench.many.task import Task
from bench.record import Line, read
from bench.verdict import changed_files, passes, read_files
from config import PROJECT, ConfigError
from offline.repair.repair import Finding, repair

BUGS = PROJECT / "datasets" / "bugs"
JUDGE_SECONDS = 60.0
OUTCOME = ("outcome", "status", "repaired", "true", "change")  # what must be the same wherever a case was tried


@dataclass(frozen=True)
class Case:
    """One buggy program on disk. `hidden` is None where nothing was held back."""

    name: str
    kind: str
    program: Path
    hidden: Path | None


def main(arguments: list[str]) -> int:
    """Measure and print; exit code 0, 1 for usage, 130 when interrupted."""
    options = _options(arguments)
    doing = assignments.measure if options.tasks else measure
    return measured_or_shown(options, doing, compare=print_comparison, same=print_differences)


def measure(options: argparse.Namespace) -> int:
    """Repair every case that is asked for, telling of each as it ends, and print the totals."""
    every = {f"{case.name} ({case.kind})": case for case in _cases(options)}
    cases = [every[name] for name in chosen([*every], options.only, "case")]
    if not cases:
        raise ConfigError("there are no programs: name a folder of them with --workdir")

    def tell(line: Line, put: Tell) -> None:
        if options.json:
            print(json.dumps(line), flush=True)
        elif not options.totals:
            put(line_of(line))

    name = f"repair-{options.workdir.resolve().name if options.workdir else options.set}"
    about = {"bench": "repair", "set": str(options.workdir or options.set), "limit": options.seconds}
    batch = make(options, (_task(case, options.seconds) for case in cases), len(cases), about, name, tell)
    print(f"\n{totals(batch.lines, by_kind=not options.totals)}", file=sys.stderr)
    print(f"page: {write_page(batch.path, batch.lines, batch.total)}", file=sys.stderr)
    return batch.code


def attempt(data: Line) -> Line:
    """Repair one program, and judge the repair by the tests that were held back: the work of one task.

    `true` is None where nothing was held back; `seconds` is the repairer's own time.
    """
    files, hidden = data["files"], data["hidden"]
    finding = repair(files, seconds=data["seconds"], seed=data["seed"])
    repaired = finding.repair is not None and finding.status == "repaired"
    true = judge(files, hidden, finding) if repaired else (False if hidden else None)
    change = ""
    if one := finding.repair:
        change = f"{one.path}:{one.line} [{one.operator}] {one.old_line} -> {one.new_line}"
    found = {"repaired": repaired, "true": true, "sure": finding.sure, "tried": finding.tried, "change": change}
    outcome = {"solved": repaired if true is None else true, "cause": "" if repaired else finding.status}
    return {"type": data["kind"], "status": finding.status, **found, "seconds": finding.seconds, **outcome}


def judge(files: dict[str, str], hidden: dict[str, str], finding: Finding) -> bool | None:
    """Whether the held-back tests pass on the repaired program; None without any."""
    return passes({**changed_files(files, finding), **hidden}, set(hidden), JUDGE_SECONDS) if hidden else None


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench repair", description=__doc__)
    parser.add_argument("--set", choices=("open", "held", "all"), default="open", help="which part of datasets/bugs")
    parser.add_argument("--workdir", type=Path, help="a directory of programs instead (or of one program)")
    parser.add_argument("--tasks", type=Path, help="a directory of assignments with submissions instead")
    parser.add_argument("--solutions", type=Path, help="with --tasks: correct solutions (default: the class lends)")
    parser.add_argument("--page", type=Path, help="with --tasks: write a page of the results to this file")
    parser.add_argument("--only", default="", help="only the cases whose name or kind contains this")
    parser.add_argument("--seconds", type=float, default=50.0, help="limit for one program (default 50)")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each case on standard output")
    parser.add_argument("--totals", action="store_true", help="print no case by name, only totals")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="is record B better than record A?")
    parser.add_argument("--same", nargs=2, type=Path, metavar=("A", "B"), help="have both the same outcomes?")
    add_options(parser)
    return parser.parse_args(arguments)


def _cases(options: argparse.Namespace) -> Iterator[Case]:
    parts = ("open", "held") if options.set == "all" else (options.set,)
    folders = [options.workdir] if options.workdir else [BUGS / part for part in parts]
    for folder in folders:
        children = sorted(child for child in folder.iterdir() if child.is_dir()) if folder.is_dir() else []
        programs = [child for child in children if any(child.rglob("*.py"))]
        yield from map(_case, [folder] if any(folder.glob("*.py")) else programs)


def _case(folder: Path) -> Case:
    """A case of the set, or any other directory that holds a program and its tests."""
    described = folder / "case.json"
    if not described.is_file():
        return Case(folder.name, "-", folder, None)
    told = json.loads(described.read_text("utf-8"))
    hidden = folder / "hidden"
    return Case(told["name"], told["kind"], folder / "program", hidden if hidden.is_dir() else None)


def _task(case: Case, seconds: float) -> Task:
    hidden = read_files(case.hidden) if case.hidden else {}
    data = {"files": read_files(case.program), "hidden": hidden, "kind": case.kind, "seconds": seconds}
    return Task(case.name, 0, "bench.repair:attempt", data, seconds + JUDGE_SECONDS + 60)


def print_differences(a: Path, b: Path) -> int:
    """Compare two records case by case; exit code 0 when all came to the same, 1 when not. What ended at the limit of
    seconds on either side is told apart: how far a search comes depends on the machine."""
    first, second = ({line["task"]: line for line in read(path) if line.get("kind") == "attempt"} for path in (a, b))
    limit = min(line["limit"] for path in (a, b) for line in read(path) if line.get("kind") == "batch")
    both = sorted(first.keys() & second.keys())
    ended = [name for name in both if max(side[name].get("seconds", 0.0) for side in (first, second)) >= 0.9 * limit]
    kept = [name for name in both if name not in ended]
    differing = [name for name in kept if any(first[name].get(each) != second[name].get(each) for each in OUTCOME)]
    told = f"{len(kept) - len(differing)} of {len(kept)} the same; {len(ended)} ended at the limit of {limit:g} s"
    alone = len(first.keys() ^ second.keys())
    print(told + (f"; {alone} only in one of them" if alone else ""))
    for name in differing:
        print(f"  {name}: {line_of(first[name])} | {line_of(second[name])}")
    return 1 if differing or alone else 0


def line_of(line: Line) -> str:
    """How one case went."""
    if not made(line):
        return f"{line['task']:24}{line['outcome']:14}{line['cause']}"
    verdict = {True: "true", False: "OVERFIT" if line["repaired"] else "", None: ""}[line["true"]]
    told = f"{line['task']:24}{line['type']:24}{line['status']:14}{verdict:8}"
    return f"{told}{line['seconds']:6.1f} s {line['tried']:6} tried  {line['change']}"


def totals(lines: Sequence[Line], *, by_kind: bool) -> str:
    """Cases, repaired and truly repaired, with the interval of the latter, how sure the repairer was of them (on
    average, to hold against `truly` of `repaired`), and its own seconds."""
    groups: dict[str, list[Line]] = defaultdict(list)
    for line in filter(made, lines):
        groups[line["type"]].append(line)
    rows = [
        *(sorted(groups.items()) if by_kind else []),
        ("all", [line for group in groups.values() for line in group]),
    ]
    heads = ("kind", "cases", "repaired", "truly", "95 %", "sure", "median s", "worst s")
    return columns(heads, [_row(*row) for row in rows])


def _row(kind: str, lines: Sequence[Line]) -> list[str]:
    repaired, true = sum(line["repaired"] for line in lines), sum(bool(line["true"]) for line in lines)
    times = [line["seconds"] for line in lines] or [0.0]
    known = [line["sure"] for line in lines if line.get("sure") is not None]  # records of earlier days have none
    sure = f"{100 * statistics.mean(known):.0f} %" if known else ""
    told = [kind, str(len(lines)), str(repaired), str(true), interval(true, len(lines)), sure]
    return [*told, f"{statistics.median(times):.1f}", f"{max(times):.1f}"]
