"""Tables that nobody here wrote, clean and with known errors, and how an audit does on them, cell by cell.

    pip download --no-deps -d DIR scikit-learn==1.9.1 statsmodels==0.15.0 vega-datasets==0.9.0 plotnine==0.15.9
    python -m bench audits --strangers DIR         both halves; of the held one the figures alone are shown
    python -m bench audits --strangers DIR --open  the half that may be looked at, with every finding
    python -m bench audits --strangers DIR --peers beside two published tools (bench/peers/auditing.py)

The tables ship inside packages. Of each there is the clean one, and two with errors in 1, 5, 10 or 40 % of the cells of
the columns that a kind of error falls into. The kinds are those of the error generators that are published (BART, REIN,
Jenga): cells made empty, or disguised as if they were full; typos; cells swapped with another column's, or shifted into
the neighbour's; other units and formats; rows that stand twice; a value that another determines, broken.

A cell that was empty before is neither right nor wrong when it is called empty: nobody can tell it from one made empty.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import random
import re
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.faults import Fault, Table
from jobs.auditor.causes import every

DAY = re.compile(r"\d{4}[-/]\d\d[-/]\d\d")
RATES = (0.01, 0.05, 0.10, 0.40)
MOST_ROWS = 1_500
UNPACKED = {".gz": gzip.decompress, ".bz2": bz2.decompress}
OPEN = {
    "mpg": "plotnine/data/mpg.csv",
    "penguins": "plotnine/data/penguins.csv",
    "midwest": "plotnine/data/midwest.csv",
    "txhousing": "plotnine/data/txhousing.csv",
    "airports": "vega_datasets/_data/airports.csv",
    "cars": "vega_datasets/_data/cars.json",
    "weather": "vega_datasets/_data/seattle-weather.csv",
    "dietox": "statsmodels/regression/tests/results/dietox.csv",
    "fair": "statsmodels/datasets/fair/fair.csv",
    "autos": "statsmodels/gam/tests/results/autos.csv",
}
HELD = {
    "msleep": "plotnine/data/msleep.csv",
    "diamonds": "plotnine/data/diamonds.csv",
    "economics": "plotnine/data/economics.csv",
    "meat": "plotnine/data/meat.csv",
    "stocks": "vega_datasets/_data/stocks.csv",
    "barley": "vega_datasets/_data/barley.json",
    "riots": "vega_datasets/_data/la-riots.csv",
    "grunfeld": "statsmodels/datasets/grunfeld/grunfeld.csv",
    "framing": "statsmodels/stats/tests/results/framing.csv",
    "epilepsy": "statsmodels/genmod/tests/results/epil.csv",
}


def tables(folder: Path, wanted: dict[str, str]) -> dict[str, Table]:
    """Read tables out of the wheels in a folder; R's word for an empty cell, NA, is an empty cell."""
    found = {}
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            inside = set(archive.namelist())
            for name, path in wanted.items():
                if path in inside:
                    found[name] = sampled(rows_in(path, archive.read(path)))
    if missing := sorted(set(wanted) - set(found)):
        raise SystemExit(f"no wheel in {folder} holds {', '.join(missing)}; see python -m bench audits --help.")
    return {name: found[name] for name in wanted}


def rows_in(path: str, data: bytes) -> list[dict[str, Any]]:
    """Every row of a file, packed or not."""
    text = UNPACKED.get(Path(path).suffix, bytes)(data).decode("utf-8-sig", "replace")
    return json.loads(text) if path.endswith(".json") else list(csv.DictReader(io.StringIO(text)))


def sampled(rows: list[dict[str, Any]]) -> Table:
    """A table as it is measured: of many rows a sample, in their order, and only columns that have a name."""
    names = [name for name in rows[0] if name]  # R's number of the row has no name
    draw = random.Random(len(rows))
    kept = sorted(draw.sample(range(len(rows)), MOST_ROWS)) if len(rows) > MOST_ROWS else range(len(rows))
    return [{name: cell(rows[at][name]) for name in names} for at in kept]


def cell(value: object) -> str | None:
    return None if value is None or value in ("", "NA") else str(value)


class Spoiling:
    """A table while errors are put into it: which columns are left for the next kind, and the key."""

    def __init__(self, table: Table, rate: float, seed: int) -> None:
        self.table, self.rate, self.random = [dict(row) for row in table], rate, random.Random(seed)
        self.names, self.free = list(table[0]), set(table[0])
        self.values = {name: [row[name] for row in table if row[name]] for name in self.names}
        self.counts = {name: Counter(values) for name, values in self.values.items()}
        self.numeric = {n for n in self.names if self.values[n] and all(map(number, self.values[n]))}
        self.dates = {n for n in self.names if self.values[n] and all(map(DAY.fullmatch, self.values[n]))}
        self.full = [n for n in self.names if len(self.values[n]) > 0.9 * len(table)]
        self.faults: list[Fault] = []

    def take(self, *tests: Callable[[str], bool]) -> list[str]:
        """A free column for each test, at random; none where one finds none."""
        chosen: list[str] = []
        for test in tests:
            able = [n for n in self.full if n in self.free and n not in chosen and test(n)]
            if not able:
                return []
            chosen.append(self.random.choice(able))
        self.free -= set(chosen)
        return chosen

    def rows(self) -> list[int]:
        return sorted(self.random.sample(range(len(self.table)), max(1, round(self.rate * len(self.table)))))

    def put(self, kind: str, row: int, name: str, value: str | None) -> None:
        if self.table[row][name] != value:
            self.table[row][name] = value
            self.faults.append(Fault(kind, row, (name,)))

    def is_class(self, name: str) -> bool:
        words = name not in self.numeric and name not in self.dates
        return words and 1 < len(self.counts[name]) <= len(self.table) / 5


def number(text: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", text))


def emptied(spoiling: Spoiling) -> None:
    for name in spoiling.take(lambda n: len(spoiling.values[n]) == len(spoiling.table)):
        for row in spoiling.rows():
            spoiling.put("missing", row, name, None)


def disguised(spoiling: Spoiling) -> None:
    for name in spoiling.take(lambda n: True):
        words = ["N/A", "unknown", "?", "-", "null", "not available"]
        word = spoiling.random.choice(words)
        if name in spoiling.numeric:
            word = spoiling.random.choice(["-999", "99999", *words])
        for row in spoiling.rows():
            spoiling.put("disguised", row, name, word)


def misspelt(spoiling: Spoiling) -> None:
    def wordy(name: str) -> bool:
        return spoiling.is_class(name) and sum(map(len, spoiling.values[name])) > 4 * len(spoiling.values[name])

    for name in spoiling.take(wordy):
        for row in spoiling.rows():
            value = spoiling.table[row][name] or ""
            if len(value) >= 4:
                at = spoiling.random.randrange(len(value) - 1)
                letter = spoiling.random.choice("abcdefghijklmnopqrstuvwxyz")
                before, after = value[:at], value[at + 1 :]
                ways = (before + after, before + letter + value[at:], before + letter + after)
                ways += (before + after[0] + value[at] + after[1:],)
                spoiling.put("typo", row, name, spoiling.random.choice(ways))


def swapped(spoiling: Spoiling) -> None:
    pair = spoiling.take(lambda n: not number(n) and spoiling.is_class(n), lambda n: n not in spoiling.dates)
    for row in spoiling.rows() if pair else []:
        left, right = (spoiling.table[row][name] for name in pair)
        if left and right:
            spoiling.put("swapped", row, pair[0], right)
            spoiling.put("swapped", row, pair[1], left)


def shifted(spoiling: Spoiling) -> None:
    """A value stands behind that of the column before it, whose own cell is then empty."""
    able = [
        (a, b)
        for a, b in zip(spoiling.names, spoiling.names[1:], strict=False)
        if {a, b} <= spoiling.free & set(spoiling.full) and a not in spoiling.numeric
    ]
    if able:
        pair = spoiling.random.choice(able)
        spoiling.free -= set(pair)
        between = spoiling.random.choice((" ", ", "))
        for row in spoiling.rows():
            left, right = (spoiling.table[row][name] for name in pair)
            if left and right:
                spoiling.put("shifted", row, pair[0], f"{left}{between}{right}")
                spoiling.put("shifted", row, pair[1], None)


def in_units(spoiling: Spoiling) -> None:
    """A measure in another unit, the number alone."""
    for name in spoiling.take(lambda n: n in spoiling.numeric and len(spoiling.counts[n]) > 20):
        factor = spoiling.random.choice((1000, 100, 0.001, 2.20462))
        for row in spoiling.rows():
            value = float(spoiling.table[row][name] or 0)
            if value:
                spoiling.put("unit", row, name, f"{value * factor:.6g}")


def in_formats(spoiling: Spoiling) -> None:
    """The same value written another way: a unit behind a number, another order of a date, capitals."""
    for name in spoiling.take(lambda n: n in spoiling.numeric or n in spoiling.dates or spoiling.is_class(n)):
        unit = spoiling.random.choice((" kg", "oz", " USD", "%"))
        for row in spoiling.rows():
            value = spoiling.table[row][name]
            if value and name in spoiling.numeric:
                spoiling.put("format", row, name, value + unit)
            elif value and name in spoiling.dates:
                year, month, day = re.split("[-/]", value)
                spoiling.put("format", row, name, f"{day}.{month}.{year}")
            elif value:
                spoiling.put("format", row, name, spoiling.random.choice((value.upper(), value + " ")))


def broken(spoiling: Spoiling) -> None:
    """A value that another column determines in the clean table becomes another of its column's."""
    able = [n for n in spoiling.full if 1 < len(spoiling.counts[n]) <= len(spoiling.table) / 5]
    pairs = [(a, b) for a in able for b in able if a != b and b in spoiling.free and determines(spoiling.table, a, b)]
    if pairs:
        left, right = spoiling.random.choice(pairs)
        spoiling.free -= {left, right}
        for row in spoiling.rows():
            others = [value for value in spoiling.counts[right] if value != spoiling.table[row][right]]
            spoiling.put("dependency", row, right, spoiling.random.choice(others))


def determines(table: Table, left: str, right: str) -> bool:
    seen: dict[str | None, set[str | None]] = defaultdict(set)
    for row in table:
        seen[row[left]].add(row[right])
    return all(len(values) == 1 for values in seen.values()) and len(seen) < len(table) / 3


def copied(spoiling: Spoiling) -> None:
    """Rows stand once more, as they are by now, at the end."""
    by_row: dict[int, list[Fault]] = defaultdict(list)
    for fault in spoiling.faults:
        by_row[fault.row].append(fault)
    for row in spoiling.rows():
        spoiling.table.append(dict(spoiling.table[row]))
        at = len(spoiling.table) - 1
        spoiling.faults += [Fault(each.kind, at, each.fields) for each in by_row[row]]
        spoiling.faults.append(Fault("duplicate", at, tuple(spoiling.names)))


KINDS = (broken, shifted, swapped, misspelt, in_formats, in_units, disguised, emptied, copied)


def spoilt(table: Table, rate: float, seed: int) -> tuple[Table, list[Fault]]:
    """Return a table with errors of every kind that it can have, and the key."""
    spoiling = Spoiling(table, rate, seed)
    for kind in KINDS:
        kind(spoiling)
    return spoiling.table, spoiling.faults


def figures(table: Table, faults: list[Fault], called: set[tuple[int, str]]) -> dict[str, tuple[float, float, float]]:
    """(precision, recall, F1) of cells: of "all", and of each kind (of which the recall is its own). A copied row is
    found when one of its cells is called; whichever, it is right."""
    copies = {fault.row for fault in faults if fault.kind == "duplicate"}
    cells = {(f.row, f.fields[0]): f.kind for f in faults if f.kind != "duplicate"}
    counted = {(row, name) for row, name in called if table[row].get(name) is not None or (row, name) in cells}
    right = {(row, name) for row, name in counted if (row, name) in cells or row in copies}
    precision = len(right) / len(counted) if counted else 1.0
    hits, sizes = Counter[str](), Counter(cells.values())
    for key, kind in cells.items():
        hits[kind] += key in called
    if copies:
        sizes["duplicate"], hits["duplicate"] = len(copies), len(copies & {row for row, _ in called})
    found = {}
    for kind in (*sizes, "all"):
        recall = hits[kind] / sizes[kind] if kind != "all" else hits.total() / sizes.total()
        both = precision + recall
        found[kind] = (precision, recall, 2 * precision * recall / both if both else 0.0)
    return found


def cells_of(finding: dict[str, Any]) -> list[list[Any]]:
    return [cell for one in every([finding]) for cell in one["cells"]]


def halves(folder: Path) -> Iterator[tuple[str, str, Table]]:
    """Every table as measured: its half, its name, and its rows, clean and with errors."""
    for half, wanted in (("open", OPEN), ("held", HELD)):
        for place, (name, table) in enumerate(tables(folder, wanted).items()):
            yield half, name, table
            for rate in rates_of(place):
                yield half, name, spoilt(table, rate, place)[0]


def rates_of(place: int) -> tuple[float, float]:
    """Two shares of wrong cells for the table at a place, so that all are measured alike often."""
    return RATES[place % len(RATES)], RATES[(place + 2) % len(RATES)]


def measure(
    folder: Path, audited: Callable[[Table, str], dict], *, open_only: bool, rates: tuple[float, ...]
) -> Iterator[tuple[str, ...]]:
    """Audit every table of the open half, and of the held one; print what is found. Yields a line for a table that sets
    several tools side by side: the half, median and least F1, median precision, findings on each clean table."""
    for half, wanted in (("open", OPEN), ("held", {} if open_only else HELD)):
        scores: list[float] = []
        false: list[int] = []
        untrue: list[int] = []  # of these, without the findings that call empty cells empty, and nothing else
        kinds: dict[str, list[float]] = defaultdict(list)
        precisions: list[float] = []
        known: dict[float, list[bool]] = defaultdict(list)  # by the confidence that was said: was it right?
        for place, (name, table) in enumerate(tables(folder, wanted).items()):
            report = audited(table, name)
            false.append(len(report["findings"]))
            called = [[table[row].get(field) for row, field in cells_of(each)] for each in report["findings"]]
            untrue.append(sum(not cells or any(value is not None for value in cells) for cells in called))
            if open_only:
                print(f"{name}: clean, {false[-1]} false findings")
                print("".join(f"    {each['claim'][:150]}\n" for each in report["findings"]), end="")
            for rate in rates or rates_of(place):
                dirty, faults = spoilt(table, rate, place)
                findings = audited(dirty, name)["findings"]
                found = figures(dirty, faults, {(row, field) for each in findings for row, field in cells_of(each)})
                scores.append(found["all"][2])
                precisions.append(found["all"][0])
                for kind, (_, recall, _) in found.items():
                    kinds[kind].append(recall)
                wrong = {(fault.row, field) for fault in faults for field in fault.fields}
                for each in every(findings):
                    good = sum((row, field) in wrong for row, field in each["cells"])
                    known[each["confidence"]].append(2 * good >= len(each["cells"]))
                if open_only:
                    told = ", ".join(f"{kind} {recall:.2f}" for kind, (_, recall, _) in found.items())
                    print(f"{name}: {rate:.0%}, F1 {scores[-1]:.2f}, precision {precisions[-1]:.2f}; recall {told}")
                    for each in every(findings):
                        good = sum((row, field) in wrong for row, field in each["cells"])
                        print(f"    {good} of {len(each['cells'])}: {each['claim'][:150]}")
        if not scores:
            continue
        scores.sort()
        print(f"{half} half: {len(false)} clean tables, {len(scores)} with errors")
        print(f"  F1 by cell: median {scores[len(scores) // 2]:.2f}, least {scores[0]:.2f}, most {scores[-1]:.2f}")
        precisions.sort()
        print(f"  precision by cell: median {precisions[len(precisions) // 2]:.2f}, least {precisions[0]:.2f}")
        print(f"  findings on clean tables: {' '.join(map(str, false))}")
        print(f"  of these, not about empty cells: {' '.join(map(str, untrue))}")
        print("  recall: " + ", ".join(f"{kind} {sum(each) / len(each):.2f}" for kind, each in kinds.items()))
        said = (f"{100 * sure:.0f} %: {sum(right)} of {len(right)}" for sure, right in sorted(known.items()))
        print("  said, and was right: " + ", ".join(said))
        sys.stdout.flush()
        said_of = f"{scores[len(scores) // 2]:.2f}", f"{scores[0]:.2f}", f"{precisions[len(precisions) // 2]:.2f}"
        yield half, *said_of, " ".join(map(str, false))
