"""Is every proof one? Each query of an audit's findings is run again by another client, and must give what is claimed.

    python -m bench proofs samples/clinic             audits each table of a source, then runs its proofs again
    python -m bench proofs report.json --data SOURCE  the proofs of a report that --json printed
    python -m bench proofs --strangers DIR            those of the strangers' tables (bench/strangers.py)
    python -m bench proofs --strangers DIR --into duckdb postgresql://role@host/database  the tables moved into these

Claimed are the rows of the collection, the number of rows that a query gives, the keys of these, and the values of the
examples. The other client (bench/rerun.py) reads the source for itself. Exit code 1 where anything differs.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.audits import audited, report_of
from bench.moved import moved
from bench.rerun import Ask, NoClient, Row, client, quoted
from bench.strangers import halves
from jobs.auditor.causes import every
from offline.wire.server import serve
from reach.database import open_database

Report = Mapping[str, Any]
CUT = "[..."  # what stands behind the text of a cell that was too long to be kept


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(
        prog="python -m bench proofs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("what", nargs="*", metavar="REPORT_OR_SOURCE")
    options.add_argument("--data", metavar="SOURCE", help="what the reports are about")
    options.add_argument("--strangers", type=Path, metavar="DIR", help="tables out of these wheels")
    options.add_argument(
        "--into",
        nargs="+",
        metavar="ENGINE",
        default=(),
        help="the tables moved into these first",
    )
    chosen = options.parse_args(arguments)
    reports = [each for each in chosen.what if each.endswith(".json")]
    if not chosen.what and not chosen.strangers:
        options.error("name a report or a source, or --strangers DIR.")
    if reports and not chosen.data:
        options.error(f"{reports[0]} is a report: say with --data SOURCE what it is about.")
    counted = Counter[str]()
    with serve() as address, tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for each in chosen.what:
            if each in reports:
                told = json.loads(Path(each).read_text(encoding="utf-8"))
                counted += counts(told.get("report") or told, chosen.data, place)
            else:
                with open_database(each) as database:
                    names = database.collections()
                for name in names:
                    counted += counts(report_of(address, each, place, audit_collection=name), each, place)
        for half, name, table in halves(chosen.strangers) if chosen.strangers else ():
            if not chosen.into:
                report = audited(address, table, name, place)
                counted += counts(report, str(place / f"{name}.csv"), place, shown=half == "open")
            for where in chosen.into:
                try:
                    source = moved(table, name, place, where)
                except ValueError as error:
                    print(f"Error: {error}", file=sys.stderr)
                    return 1
                report = report_of(address, source, place, audit_collection=name)
                counted += counts(report, source, place, shown=half == "open")
    print("; ".join(f"{count} {words}" for words, count in counted.items()) or "no proofs: nothing was found")
    return 1 if any(words.startswith("differ") for words in counted) else 0


def counts(report: Report, source: str, place: Path, *, shown: bool = True) -> Counter[str]:
    """How many proofs hold and how many differ, and by which client; a line for each that differs, if it is shown."""
    size = len(every(report["findings"]))
    paths = [each["field"] for each in report["fields"]]
    try:
        name, ask = client(source, report["collection"], paths, place)
        differing = list(differences(report, ask))
    except NoClient as why:
        print(f"{report['collection']}: not run again, {why}")
        return Counter({"not run again": size})
    if shown:
        print("".join(f"{report['collection']}: {each}\n" for each in differing), end="")
    wrong = len({each.split(":", 1)[0] for each in differing})
    found = Counter({f"return what is claimed ({name})": size - wrong, f"differ ({name})": wrong})
    return +found


def differences(report: Report, ask: Ask) -> Iterator[str]:
    """What another client says otherwise, a sentence a finding."""
    parts = report["collection"].split(".", 1) if report["dialect"] == "postgres" else [report["collection"]]
    table = ".".join(map(quoted, parts))
    rows = ask(f"SELECT count(*) AS n FROM {table}")[0]["n"]
    if rows != report["rows"]:
        yield f"the collection: {report['rows']} rows are claimed, and {rows} are there"
    for number, finding in enumerate(every(report["findings"]), 1):
        try:
            why = difference(finding, ask(finding["query"]), report["key"])
        except ValueError as error:
            why = f"the query is not answered: {error}"
        if why:
            yield f"finding {number}: {why} ({finding['claim'][:80]})"


def difference(finding: Mapping[str, Any], rows: Sequence[Row], key: Sequence[str]) -> str:
    """What of a finding the rows of its query don't bear out; "" where they do."""
    if len(rows) != finding["affected"]:
        return f"{finding['affected']} rows are claimed, and {len(rows)} come back"
    names = max((each for each in (key, ("_row", "_at")) if rows and set(each) <= set(rows[0])), key=len, default=())
    there = Counter(tuple(plain(row[name]) for name in names) for row in rows)
    for claimed in finding["rows"]:
        named = tuple(map(plain, claimed if isinstance(claimed, list) else [claimed]))
        there[named] -= 1
        if there[named] < 0:
            return f"row {claimed} is claimed, and does not come back"
    for example in finding["examples"]:
        if not any(all(same(value, row.get(name)) for name, value in example.items()) for row in rows):
            return f"the example {example} is claimed, and does not come back"
    return ""


def same(claimed: Any, there: Any) -> bool:
    if isinstance(claimed, str) and CUT in claimed:
        return plain(there).startswith(claimed.rsplit(CUT, 1)[0])
    if isinstance(claimed, float) or isinstance(there, float):
        numbers = all(isinstance(each, (int, float)) for each in (claimed, there))
        return numbers and math.isclose(claimed, there, rel_tol=1e-9)
    return plain(claimed) == plain(there)


def plain(value: Any) -> str:
    """A value as text: two clients spell the same number, truth and time of day in different ways."""
    return str(value).replace("T", " ") if str(value)[:1].isdigit() else str(value)
