"""How good the built-in auditor is: faults are planted into tables, and an audit is resources against the key.

    python -m bench audits            precision, recall and F1 by kind of fault, and how well it knows what it knows
    python -m bench audits --seeds 5  more tables
    python -m bench audits --strangers DIR  on tables that packages ship, from their wheels in DIR (bench/strangers.py)
    python -m bench audits --clean DIR      on all clean tables in any wheels; counts alone (bench/clean.py)

Every audit goes the whole way: the job, the loop, HTTP, the built-in model.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from bench.clean import count
from bench.faults import PLANTERS, Fault, Table, plant, scores
from bench.many.table import columns
from bench.peers.auditing import peers
from bench.strangers import measure
from bench.tables import CLEAN
from config import Settings
from jobs.auditor.causes import every
from jobs.auditor.job import JOB
from jobs.auditor.settings import AuditorSettings
from main import run_agent
from offline.wire.server import serve
from sandbox.files.root import Root


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m bench audits", description=__doc__)
    options.add_argument("--seeds", type=int, default=3, help="tables of each sort")
    options.add_argument("--each", type=int, default=5, help="faults of each kind in a table")
    options.add_argument("--strangers", type=Path, metavar="DIR", help="tables out of these wheels instead")
    options.add_argument(
        "--clean", type=Path, metavar="DIR", help="all tables in these wheels, as they are: counts alone"
    )
    options.add_argument("--open", action="store_true", help="of the strangers, the half that may be looked at")
    options.add_argument("--rates", type=float, nargs="*", default=(), help="shares of wrong cells, for each stranger")
    options.add_argument("--peers", action="store_true", help="two other tools beside it on the strangers")
    chosen = options.parse_args(arguments)
    if chosen.strangers:
        strangers(chosen)
        return 0
    if chosen.clean:
        with serve() as address, tempfile.TemporaryDirectory() as place:
            count(chosen.clean, lambda table, name: audited(address, table, name, Path(place)))
        return 0
    by_kind: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    known: dict[float, list[bool]] = defaultdict(list)
    with serve() as address, tempfile.TemporaryDirectory() as place:
        for name, make in CLEAN.items():
            false = audited(address, make(), name, Path(place))["findings"]
            print(f"{name}: clean, {len(false)} false findings", file=sys.stderr)
            for seed in range(1, chosen.seeds + 1):
                table, faults = plant(make(), list(PLANTERS), chosen.each, seed)
                report = audited(address, table, name, Path(place))
                take_in(report, faults, by_kind, known)
                print(f"{name}: seed {seed}, F1 {by_kind['all'][-1][2]:.2f}", file=sys.stderr)
    show(by_kind, known)
    return 0


def strangers(chosen: argparse.Namespace) -> None:
    """The auditor on the strangers' tables; with `--peers` the other tools too, and all of them side by side."""
    lines = [("tool", "half", "median F1", "least", "precision", "findings on each clean table")]
    others = peers() if chosen.peers else {}
    with serve() as address, tempfile.TemporaryDirectory() as place:
        ours = {"Glassbox": lambda table, name: audited(address, table, name, Path(place))}
        for tool, look in {**ours, **others}.items():
            if others:
                print(tool)
            found = measure(chosen.strangers, look, open_only=chosen.open, rates=tuple(chosen.rates))
            lines += [(tool, *line) for line in found]
    if others:
        print(columns(lines[0], lines[1:]))


def audited(address: str, table: Table, name: str, place: Path) -> dict[str, Any]:
    """Return the report of an audit of a table, without any history."""
    source = place / f"{name}.csv"
    with source.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    return report_of(address, str(source), place)


def report_of(address: str, source: str, place: Path, **changes: Any) -> dict[str, Any]:
    """Return the report of an audit of a source by the model at an address, without any history."""
    store = str(place / "audits.sqlite")
    Path(store).unlink(missing_ok=True)
    own = AuditorSettings(audit_data=source, audit_store=store, **changes)
    settings = Settings(lmstudio_base_url=f"{address}/v1", jobs=(own,))
    with Root(place) as root, JOB.opens(settings, root, lambda line: None) as resources:
        run = JOB.begin("lmstudio", root, settings, resources=resources)
        result = run_agent(JOB.default_prompt, settings, run)
    if result.stop_reason != "answered" or result.report is None:
        sys.exit(f"the audit of {source} ended with {result.stop_reason}: {result.errors}")
    return result.report


def take_in(
    report: dict[str, Any],
    faults: list[Fault],
    by_kind: dict[str, list[tuple[float, float, float]]],
    known: dict[float, list[bool]],
) -> None:
    """Add an audit to the figures. A finding is right when at least half of its rows are wrong in a field it names."""
    called = [(row, name) for finding in every(report["findings"]) for row, name in finding["cells"]]
    for kind, found in scores(faults, called).items():
        by_kind[kind].append(found)
    wrong = {(fault.row, name) for fault in faults for name in fault.fields}
    for finding in every(report["findings"]):
        right = {row for row, name in finding["cells"] if (row, name) in wrong}
        known[finding["confidence"]].append(2 * len(right) >= len(finding["rows"]))


def show(by_kind: dict[str, list[tuple[float, float, float]]], known: dict[float, list[bool]]) -> None:
    print(f"{'kind':20} recall  F1 by cells")
    for kind, found in by_kind.items():
        recall, f1 = (sum(each[at] for each in found) / len(found) for at in (1, 2))
        print(f"{kind:20} {recall:6.0%}  {f1:.2f}")
    print(f"precision by cells   {sum(each[0] for each in by_kind['all']) / len(by_kind['all']):6.0%}\n")
    print("said  was right  findings")
    for confidence, right in sorted(known.items()):
        print(f"{confidence:4.0%}  {sum(right) / len(right):9.0%}  {len(right):8}")


if __name__ == "__main__":
    sys.exit(main())
