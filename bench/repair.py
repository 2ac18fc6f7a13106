"""`python -m bench repair`: run the built-in model's repairer over a set of buggy programs and count what it repaired.

A case is truly repaired when its held-back tests, which the repairer never sees, pass as well.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from bench import assignments
from bench.verdict import changed_files, passes, read_files
from offline.repair.repair import Finding, repair

BUGS = Path(__file__).with_name("bugs")


@dataclass(frozen=True)
class Case:
    """One buggy program on disk. `hidden` is None where nothing was held back."""

    name: str
    kind: str
    program: Path
    hidden: Path | None


@dataclass(frozen=True)
class Result:
    """How one case went. `true` is None where there are no held-back tests; `seconds` is the repairer's own time."""

    name: str
    kind: str
    status: str
    repaired: bool
    true: bool | None
    seconds: float
    tried: int
    change: str


def main(arguments: list[str]) -> int:
    """Measure and print; exit code 0, 1 for usage, 130 when interrupted."""
    options = _options(arguments)
    if options.tasks is not None:
        told = (options.tasks, options.solutions, options.page, options.jobs, options.seconds, options.only)
        return assignments.main(*told)
    cases = list(_cases(options))
    if not cases:
        print("no programs found", file=sys.stderr)
        return 1
    cancelled = threading.Event()
    results: list[Result] = []
    try:
        for result in _run(cases, options, cancelled):
            results.append(result)
    except KeyboardInterrupt:
        cancelled.set()
        print("interrupted: what follows is what was finished", file=sys.stderr)
    _print_totals(results, quiet=options.totals)
    return 130 if cancelled.is_set() else 0


def judge(case: Case, finding: Finding) -> bool | None:
    """Whether the held-back tests pass on the repaired program."""
    if case.hidden is None:
        return None
    hidden = read_files(case.hidden)
    return passes({**changed_files(read_files(case.program), finding), **hidden}, set(hidden))


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench repair", description=__doc__)
    parser.add_argument("--set", choices=("open", "held", "all"), default="open", help="which part of bench/bugs")
    parser.add_argument("--workdir", type=Path, help="a directory of programs instead (or of one program)")
    parser.add_argument("--tasks", type=Path, help="a directory of assignments with submissions instead")
    parser.add_argument("--solutions", type=Path, help="with --tasks: a directory of correct solutions")
    parser.add_argument("--page", type=Path, help="with --tasks: write a page of the results to this file")
    parser.add_argument("--only", default="", help="only the cases whose name or kind contains this")
    parser.add_argument("--jobs", type=int, default=2, help="programs side by side (default 2)")
    parser.add_argument("--seconds", type=float, default=50.0, help="limit for one program (default 50)")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each case on standard output")
    parser.add_argument("--totals", action="store_true", help="print no case by name, only totals")
    return parser.parse_args(arguments)


def _cases(options: argparse.Namespace) -> Iterator[Case]:
    parts = ("open", "held") if options.set == "all" else (options.set,)
    folders = [options.workdir] if options.workdir else [BUGS / part for part in parts]
    for folder in folders:
        children = sorted(child for child in folder.iterdir() if child.is_dir()) if folder.is_dir() else []
        programs = [child for child in children if any(child.rglob("*.py"))]
        if any(folder.glob("*.py")):
            programs = [folder]
        for program in programs:
            case = _case(program)
            if options.only in case.name or options.only in case.kind:
                yield case


def _case(folder: Path) -> Case:
    """A case of the set, or any other directory that holds a program and its tests."""
    described = folder / "case.json"
    if not described.is_file():
        return Case(folder.name, "-", folder, None)
    told = json.loads(described.read_text("utf-8"))
    hidden = folder / "hidden"
    return Case(told["name"], told["kind"], folder / "program", hidden if hidden.is_dir() else None)


def _run(cases: list[Case], options: argparse.Namespace, cancelled: threading.Event) -> Iterator[Result]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        task = progress.add_task("repairing", total=len(cases))
        waiting = [pool.submit(_measure, case, options.seconds, cancelled) for case in cases]
        good = 0
        try:
            for future in as_completed(waiting):
                result = future.result()
                good += bool(result.repaired)
                progress.update(task, advance=1, description=f"{good} repaired")
                _print_result(result, options, sys.stdout, progress.console)
                yield result
        except BaseException:  # Ctrl-C included: end the searches, then let it go on
            cancelled.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _measure(case: Case, seconds: float, cancelled: threading.Event) -> Result:
    finding = repair(read_files(case.program), seconds=seconds, cancelled=cancelled)
    repaired = finding.status == "repaired"
    true = judge(case, finding) if repaired else (False if case.hidden else None)
    change = ""
    if finding.repair is not None:
        one = finding.repair
        change = f"{one.path}:{one.line} [{one.operator}] {one.old_line} -> {one.new_line}"
    return Result(case.name, case.kind, finding.status, repaired, true, finding.seconds, finding.tried, change)


def _print_result(result: Result, options: argparse.Namespace, stdout: TextIO, console: object) -> None:
    if options.totals:
        return
    if options.json:
        stdout.write(json.dumps(asdict(result)) + "\n")
        stdout.flush()
        return
    verdict = {True: "true", False: "OVERFIT" if result.repaired else "", None: ""}[result.true]
    line = (
        f"{result.name:24}{result.kind:24}{result.status:14}{verdict:8}{result.seconds:6.1f} s {result.tried:6} tried"
    )
    console.print(f"{line}  {result.change}", markup=False, highlight=False, soft_wrap=True)  # type: ignore[attr-defined]


def _print_totals(results: Iterable[Result], quiet: bool) -> None:
    results = list(results)
    by_kind: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_kind[result.kind].append(result)
    rows = [*sorted(by_kind.items()), ("all", results)] if not quiet else [("all", results)]
    print(f"\n{'kind':28}{'cases':>6}{'repaired':>10}{'truly':>8}{'median s':>10}{'worst s':>9}", file=sys.stderr)
    for kind, group in rows:
        if not group:
            continue
        times = [result.seconds for result in group]
        repaired, true = sum(one.repaired for one in group), sum(bool(one.true) for one in group)
        numbers = f"{len(group):>6}{repaired:>10}{true:>8}{statistics.median(times):>10.1f}{max(times):>9.1f}"
        print(f"{kind:28}{numbers}", file=sys.stderr)
