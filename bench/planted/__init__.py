"""`python -m bench planted`: bugs planted in published packages, repaired with the packages' own tests.

A seed draws packages out of `datasets/draws/packages.txt`, and a bug in each, of the kinds that mutation tools have; a
bug counts when the package's own tests see it. Each seed is a ground that nobody has tuned on, until it is looked at.
The draw is written down, with licences and with what could not be drawn; a written one can be repeated (`--draw`).
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.attempts import run_agent
from bench.many.table import columns, interval
from bench.planted.bugs import Bug
from bench.planted.draw import drawn_lines, read, recalled
from bench.planted.packages import NoPackage, Package
from bench.verdict import changed_files, passes, write_files
from config import PROJECT
from offline.repair.changes.edits import apply_edits
from offline.repair.repair import repair

SURE = (0, 50, 80)  # per cent, where the groups by how sure the repairer was begin
RUNS = PROJECT / ".runs" / "bench"
AGENT_SHARE = 5  # times the seconds of a search: the agent also reads, and runs the tests of a package twice


@dataclass(frozen=True)
class Planted:
    """How one bug went."""

    package: str
    kind: str
    place: str  # "pkg/a.py:12"
    right: str
    wrong: str
    status: str
    repaired: bool
    as_it_was: bool
    seconds: float
    tried: int
    others: int  # how many other changes pass as well
    sure: float | None  # how probable the repairer says it is that the change is right
    change: str


def main(arguments: list[str]) -> int:
    """Draw, repair, print; exit code 0, 1 when nothing could be drawn, 130 when interrupted."""
    options = _options(arguments)
    cancelled, results = threading.Event(), []
    options.cache.mkdir(parents=True, exist_ok=True)
    try:
        for result in _measure_all(options, cancelled):
            results.append(result)
            print(json.dumps(asdict(result)) if options.json else line_of(result), flush=True)
    except (OSError, ValueError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        cancelled.set()
        print("interrupted: what follows is what was finished", file=sys.stderr)
    print(totals(results), file=sys.stderr)
    return 130 if cancelled.is_set() else 0 if results else 1


def line_of(result: Planted) -> str:
    """One line for a person."""
    verdict = "as it was" if result.as_it_was else "otherwise" if result.repaired else result.status
    bug = " ".join(f"{result.place}: {result.right} -> {result.wrong}".split())
    told = f"{result.package:24}{result.kind:19}{verdict:12}{result.seconds:6.1f} s {result.tried:6} tried"
    return f"{told}  {bug[:120]} | {result.change[:120]}"


def totals(results: Sequence[Planted]) -> str:
    """By kind, by how sure it was, in all: bugs, repaired, with the interval, as they were, the repairer's seconds."""
    kinds = sorted({one.kind for one in results})
    rows = [(kind, [one for one in results if one.kind == kind]) for kind in kinds]
    known = [(100 * one.sure, one) for one in results if one.sure is not None]
    for least, most in zip(SURE, [*SURE[1:], 101], strict=True):
        rows.append((f"{least} % sure on", [one for sure, one in known if least <= sure < most]))
    rows.append(("all", list(results)))
    heads = ("kind", "bugs", "repaired", "95 %", "as it was", "median s", "worst s")
    return columns(heads, [_row(*row) for row in rows])


def same_program(one: str, other: str) -> bool:
    """Whether two texts are the same program: the same tree, or the same code."""
    if one == other:  # also where it is no Python, as what a checker of style is tested with
        return True
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other)) or _code(one) == _code(other)


def _row(kind: str, results: list[Planted]) -> list[str]:
    repaired, same = sum(one.repaired for one in results), sum(one.as_it_was for one in results)
    times = [one.seconds for one in results] or [0.0]
    told = [kind, str(len(results)), str(repaired), interval(repaired, len(results)), str(same)]
    return [*told, f"{statistics.median(times):.1f}", f"{max(times):.1f}"]


def _code(text: str) -> object:
    def plain(code: Any) -> object:
        return (
            code.co_code,
            code.co_names,
            tuple(plain(c) if hasattr(c, "co_code") else repr(c) for c in code.co_consts),
        )

    return plain(compile(text, "", "exec", dont_inherit=True, optimize=2))


def _lines(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of the draw that is asked for: a written one, or a new one, which is written down."""
    if options.draw:
        yield from read(options.draw)
    else:
        path = RUNS / f"planted-{options.seed}.jsonl"
        print(f"draw: {path}", file=sys.stderr)
        yield from drawn_lines(options.seed, options.bugs, path, options.cache)


def _measure_all(options: argparse.Namespace, cancelled: threading.Event) -> Iterator[Planted]:
    for line in _lines(options):
        if "bug" not in line:
            print(f"{line['package']}: {line['failure']}", file=sys.stderr)
        elif options.only in f"{line['package']} {line['bug']['kind']}":
            try:
                package, bug = recalled(line, options.cache)
                if options.agent:
                    yield _through_the_agent(package, bug, AGENT_SHARE * options.seconds)
                else:
                    yield _measure(package, bug, options.seconds, cancelled)
            except NoPackage as error:
                print(f"{line['package']}: {error}; left out", file=sys.stderr)


def _measure(package: Package, bug: Bug, seconds: float, cancelled: threading.Event) -> Planted:
    broken = planted(package, bug)
    finding = repair(broken, seconds=seconds, cancelled=cancelled)
    one, changed = finding.repair, changed_files(broken, finding)
    same = bool(one) and as_published(package, changed)
    change = " ".join(f"{one.path}:{one.line} {one.old_line} -> {one.new_line}".split()) if one else finding.message
    place = f"{bug.edit.path}:{bug.line}"
    return Planted(package.name, bug.kind, place, bug.right, bug.wrong, finding.status, bool(one), same,
                   round(finding.seconds, 2), finding.tried, finding.remaining, finding.sure, change)  # fmt: skip


def _through_the_agent(package: Package, bug: Bug, seconds: float) -> Planted:
    """The same as a person has it: the package in a folder, and what is read of it is up to the built-in model. How
    sure it is, and what else it tried, stands in its answer alone."""
    files, began = planted(package, bug), time.monotonic()
    how = {"provider": "offline", "environment": {}, "seed": 0, "seconds": seconds, "traces": False}
    with TemporaryDirectory(prefix="bench-") as place:
        folder = Path(place, "program")
        write_files(folder, files)
        told = run_agent(folder, how)
        after = {path: (folder / path).read_bytes().decode("utf-8", "replace") for path in files}
    took = round(time.monotonic() - began, 2)
    made = after != files and passes(after, package.tests)
    status, change = "repaired" if made else told["cause"] or told["stop_reason"], " ".join(told["answer"].split())
    return Planted(package.name, bug.kind, f"{bug.edit.path}:{bug.line}", bug.right, bug.wrong, status, made,
                   made and as_published(package, after), took, 0, 0, None, change)  # fmt: skip


def planted(package: Package, bug: Bug) -> dict[str, str]:
    """The files of a package with a bug in them."""
    return {**package.files, bug.edit.path: apply_edits(package.files[bug.edit.path], (bug.edit,))}


def as_published(package: Package, files: Mapping[str, str]) -> bool:
    return all(same_program(files[path], right) for path, right in package.files.items() if path.endswith(".py"))


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench planted", description=__doc__)
    parser.add_argument("--bugs", type=int, default=40, help="how many, each in a package of its own (default 40)")
    parser.add_argument("--seed", type=int, default=1, help="which packages and bugs (default 1)")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="repeat a draw that was written down")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit for one bug (default 60)")
    parser.add_argument("--agent", action="store_true", help="by main.py in a folder, as a person would have it")
    parser.add_argument("--only", default="", help="only where the package or the kind contains this")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "glassbox" / "planted", help="downloads")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each bug")
    return parser.parse_args(arguments)
