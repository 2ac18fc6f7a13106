"""The tables: how many were solved and how sure that is, what it cost, how the others ended, and what each mechanism is
worth. Held tasks are counted, and nothing more is told of them.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bench.chance import compare
from bench.many.table import columns, interval, made
from bench.models.judge import CAUSES
from bench.models.tasks import EVERY_KIND, KINDS
from bench.record import Line, tokens_of

HEADINGS = ("runs", "solved", "95 %", "turns", "tokens in", "out", "seconds", "tokens a solved")
VERDICTS = {"better": "helps", "worse": "hurts", "cannot tell": "cannot tell"}
SOLVED = "solved"


def report(every: Sequence[Line]) -> str:
    """All tables of a measurement, for everybody who was compared."""
    lines = [line for line in every if made(line)]
    names = list(dict.fromkeys(line["subject"] for line in lines))
    parts = [figures(lines, names), kinds(lines, names)]
    mine = by_task(line for line in lines if line["subject"] == names[0]) if names else {}
    others = {name: by_task(line for line in lines if line["subject"] == name) for name in names[1:]}
    parts += [f"{names[0]} beside {name}: {compare(theirs, mine)}" for name, theirs in others.items()]
    shown = [line for line in lines if not line["held"]]
    if any(not line["solved"] for line in shown):
        parts.append(causes(shown, names))
    if shown:
        parts.append(cases(shown, names))
    lost = len(every) - len(lines)
    return "\n\n".join([*parts, *([f"{lost} runs were not made"] if lost else [])])


def figures(lines: Sequence[Line], names: Sequence[str]) -> str:
    """A row for the open tasks of each subject, one for the held, and one for all; figures in the middle."""
    rows = []
    for name in names:
        mine = [line for line in lines if line["subject"] == name]
        sides = {
            side: [line for line in mine if line["held"] == held] for side, held in (("open", False), ("held", True))
        }
        there = [(side, several) for side, several in sides.items() if several]
        rows += [[f"{name}, {side}", *row(several)] for side, several in there]
        if len(there) > 1:
            rows.append([f"{name}, all", *row(mine)])
    return columns(("", *HEADINGS), rows)


def row(lines: Sequence[Line]) -> list[str]:
    solved, tokens = sum(line["solved"] for line in lines), sum(map(tokens_of, lines))
    read, written = ([(line.get("tokens") or {}).get(way) or 0 for line in lines] for way in ("input", "output"))
    middles = [[line.get("turns") or 0 for line in lines], read, written, [line.get("seconds") or 0 for line in lines]]
    told = [f"{statistics.median(values):,.0f}" for values in middles]
    each = f"{tokens / solved:,.0f}" if solved else "-"
    return [str(len(lines)), str(solved), interval(solved, len(lines)), *told, each]


def kinds(lines: Sequence[Line], names: Sequence[str]) -> str:
    """How many of each kind were solved, open and held together."""
    rows = []
    for kind, words in EVERY_KIND.items():
        if kind not in KINDS and all(line["sort"] != kind for line in lines):
            continue
        cells = []
        for name in names:
            several = [line["solved"] for line in lines if line["sort"] == kind and line["subject"] == name]
            cells.append(f"{sum(several)}/{len(several)}" if several else "-")
        rows.append([words, *cells])
    return columns((SOLVED, *names), rows)


def causes(lines: Sequence[Line], names: Sequence[str]) -> str:
    """How the open ones ended that were not solved."""
    counted = {name: Counter(line["cause"] for line in lines if line["subject"] == name) for name in names}
    found = [cause for cause in CAUSES if any(counted[name][cause] for name in names)]
    rows = [[cause, *(str(counted[name][cause] or "-") for name in names)] for cause in found]
    late = [[f"{sum(bool(line.get('was_right')) for line in lines if line['subject'] == name)}"] for name in names]
    if any(cell != ["0"] for cell in late):
        rows.append(["right, but never done", *(cell[0] for cell in late)])
    return columns(("not solved, open", *names), rows)


def cases(lines: Sequence[Line], names: Sequence[str]) -> str:
    """Each open task: how it ended, or how often it was solved where it was tried more than once."""
    found: dict[str, dict[str, list[Line]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        found[line["task"].rpartition(": ")[2]][line["subject"]].append(line)
    return columns(("open", *names), ([task, *(cell(by[name]) for name in names)] for task, by in found.items()))


def cell(lines: Sequence[Line]) -> str:
    if len(lines) == 1:
        return SOLVED if lines[0]["solved"] else lines[0]["cause"]
    return f"{sum(line['solved'] for line in lines)}/{len(lines)}" if lines else "-"


def ablation(every: Sequence[Line], whole: str) -> str:
    """What each mechanism is worth: how much less is solved without it, and whether chance explains the difference."""
    by_name: dict[str, list[Line]] = defaultdict(list)
    for line in filter(made, every):
        by_name[line["subject"]].append(line)
    full = by_name.get(whole, [])
    rows = []
    for name, lines in by_name.items():
        label = "all on" if name == whole else name.removeprefix(whole).strip(" ,")
        read, written = ([(line.get("tokens") or {}).get(way) or 0 for line in lines] for way in ("input", "output"))
        solved = sum(line["solved"] for line in lines)
        share = 100 * solved / len(lines)
        worth = ["", ""] if name == whole or not full else [f"{100 * rate(full) - share:+.0f}", verdict(lines, full)]
        costs = [f"{sum(read) / len(lines):,.0f}", f"{sum(written) / len(lines):,.0f}"]
        turns = statistics.median(line.get("turns") or 0 for line in lines)
        rows.append([label, str(len(lines)), str(solved), interval(solved, len(lines)), *worth, f"{turns:.0f}", *costs])
    headings = ("", "runs", "solved", "95 %", "worth in %", "", "turns", "mean tokens in", "out")
    return columns(headings, rows)


def rate(lines: Sequence[Line]) -> float:
    return sum(line["solved"] for line in lines) / len(lines)


def verdict(without: Iterable[Line], full: Iterable[Line]) -> str:
    return VERDICTS[compare(by_task(without), by_task(full))]


def by_task(lines: Iterable[Line]) -> Mapping[str, Sequence[bool]]:
    found: dict[str, list[bool]] = defaultdict(list)
    for line in lines:
        found[line["task"].rpartition(": ")[2]].append(bool(line["solved"]))
    return found
