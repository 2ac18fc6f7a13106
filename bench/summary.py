"""From recorded lines to figures: medians, ratios, the table on the screen, the table and the charts of the docs."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import chart
from bench.many.table import columns
from bench.record import Line
from bench.subjects import OURS

FLOORS = {subject.name: subject.floor for subject in OURS}
OPENAI_FLOOR = OURS[1].name
MEGABYTE = 1e6


@dataclass(frozen=True)
class Figure:
    """One row of the table. `ratio` is to the floor named in `floor`; `target` is the ratio that is promised."""

    what: str
    subject: str
    value: float
    unit: str
    ratio: float | None = None
    floor: str = ""
    target: float | None = None

    @property
    def met(self) -> bool | None:
        return None if self.target is None or self.ratio is None else self.ratio <= self.target


@dataclass(frozen=True)
class Measure:
    """How a figure is made of lines: which lines, which value, in which unit, and what is promised for this agent."""

    what: str
    kind: str
    unit: str
    value: Callable[[Line], float | None]
    turns: int | None = None
    target: float | None = None


MEASURES = (
    Measure("start to first request", "run", "s", lambda line: line["first_request_seconds"], 0, 1.15),
    Measure("peak memory, 200 turns", "run", "MB", lambda line: line["peak_bytes"] / MEGABYTE, 200, 1.3),
    Measure("processor time, one turn with the start", "run", "s", lambda line: line["process_seconds"], 1),
    Measure("tokens of the first request", "run", "tokens", lambda line: line["first_request_tokens"], 0),
    Measure("tokens per request, 50 turns", "run", "tokens", lambda line: line["tokens_per_request"], 50),
)


def figures(lines: Sequence[Line]) -> list[Figure]:
    """Return every figure that the lines allow, in the order of the table."""
    found = [figure for measure in MEASURES for figure in beside_floor(measure, lines)]
    for turns in sorted({line["turns"] for line in lines if line.get("kind") == "run"} - {0, 1}):
        target = 1.0 if turns == 200 else None
        found += per_turn(lines, turns, target)
    found += together(lines)
    found += against(lines, "search", "search in 10,000 files", "ripgrep -j1", {"search_files": 3.0})
    found += against(lines, "start", "start of a program", "plain Python", {})
    return found


def beside_floor(measure: Measure, lines: Sequence[Line]) -> list[Figure]:
    """One figure per subject; the ratio is the median of the ratios within each repeat, so that drift cancels out."""
    values = grouped(lines, measure.kind, measure.value, measure.turns)
    return compared(values, measure.what, measure.unit, measure.target)


def per_turn(lines: Sequence[Line], turns: int, target: float | None = None) -> list[Figure]:
    """Processor time that one turn adds: a run of so many turns, less the start, divided by the turns."""
    whole = grouped(lines, "run", lambda line: line["process_seconds"], turns)
    start = grouped(lines, "run", lambda line: line["process_seconds"], 0)
    values = {
        name: {r: 1000 * (v - statistics.median(start[name].values())) / turns for r, v in repeats.items()}
        for name, repeats in whole.items()
        if name in start
    }
    return compared(values, f"processor time per turn, {turns} turns", "ms", target)


def compared(values: dict[str, dict[int, float]], what: str, unit: str, target: float | None) -> list[Figure]:
    found = []
    for name, repeats in values.items():
        floor = FLOORS.get(name, OPENAI_FLOOR)
        pairs = [(value, values[floor][r]) for r, value in repeats.items() if r in values.get(floor, {})]
        ratios = [value / base for value, base in pairs if base > 0]
        ratio = statistics.median(ratios) if floor and ratios else None
        promised = target if FLOORS.get(name) else None
        found.append(Figure(what, name, statistics.median(repeats.values()), unit, ratio, floor, promised))
    return found


def together(lines: Sequence[Line]) -> list[Figure]:
    """Eight calls in one message beside one call, of the same agent: what is not 1 is not parallel."""
    one, eight = (grouped(lines, "parallel", lambda line: line["results_after_seconds"], calls) for calls in (1, 8))
    found = []
    for name, repeats in eight.items():
        alone = one.get(name, {})
        ratios = [value / alone[repeat] for repeat, value in repeats.items() if repeat in alone]
        ratio, target = statistics.median(ratios) if ratios else None, 1.3 if FLOORS.get(name) else None
        middle = 1000 * statistics.median(repeats.values())
        found.append(Figure("eight tools of 100 ms", name, middle, "ms", ratio, "one such tool", target))
    return found


def against(lines: Sequence[Line], kind: str, what: str, floor: str, targets: dict[str, float]) -> list[Figure]:
    """Figures of one kind beside the one whose name begins with `floor` and ends alike ("…, text")."""
    values = grouped(lines, kind, lambda line: line["seconds"])
    found = []
    for name, repeats in values.items():
        base = next((o for o in values if o.startswith(floor) and o.partition(",")[2] == name.partition(",")[2]), "")
        ratios = [value / values[base][r] for r, value in repeats.items() if base and r in values[base]]
        ratio = statistics.median(ratios) if ratios and base != name else None
        promised = next((target for start, target in targets.items() if name.startswith(start)), None)
        found.append(Figure(what, name, 1000 * statistics.median(repeats.values()), "ms", ratio, base, promised))
    return found


def grouped(
    lines: Iterable[Line], kind: str, value: Callable[[Line], float | None], turns: int | None = None
) -> dict[str, dict[int, float]]:
    """Subject -> repeat -> value, of the lines of one kind that did not fail."""
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for line in lines:
        if line.get("kind") == kind and "failed" not in line and (turns is None or line["turns"] == turns):
            number = value(line)
            if number is not None:
                found[line["subject"]][line["repeat"]] = number
    return dict(found)


def cells(figure: Figure) -> tuple[str, ...]:
    digits = 0 if figure.unit == "tokens" or figure.value >= 100 else 2 if figure.value < 10 else 1
    ratio = f"{figure.ratio:.2f} × {figure.floor}" if figure.ratio is not None else ""
    target = f"at most {figure.target:g}" if figure.target is not None else ""
    verdict = {True: "met", False: "NOT met", None: ""}[figure.met]
    return figure.what, figure.subject, f"{figure.value:,.{digits}f} {figure.unit}", ratio, target, verdict


HEADINGS = ("what", "who", "median", "ratio", "target", "")


def tables(rows: Sequence[Figure]) -> str:
    """The figures for a person: a row for each measurement, a column for each that is measured; where others are
    measured, another table begins."""
    by_what: dict[str, list[Figure]] = defaultdict(list)
    for figure in rows:
        by_what[figure.what].append(figure)
    together: dict[tuple[str, ...], list[list[Figure]]] = defaultdict(list)
    for several in by_what.values():
        together[tuple(figure.subject for figure in several)].append(several)
    return "\n\n".join(
        columns(("", *who), [[several[0].what, *map(short, several)] for several in lines])
        for who, lines in together.items()
    )


def short(figure: Figure) -> str:
    """`0.41 s, 1.08x, met`: the median, its ratio to the floor, and whether what was promised is held."""
    _, _, value, _, _, verdict = cells(figure)
    ratio = f"{figure.ratio:.2f}x" if figure.ratio is not None else ""
    return ", ".join(part for part in (value, ratio, verdict) if part)


def publish(lines: Sequence[Line], folder: Path) -> None:
    """Write the lines, the table and one chart per measure into the docs."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = figures(lines)
    machine = next(line for line in lines if line.get("kind") == "machine")
    told = "Measured on {date}: {processor}, {cores} cores, {system}, Python {python}.".format(**machine)
    failed = [f"{line['subject']}, {line['turns']} turns: {line['failed']}" for line in lines if "failed" in line]
    body = ["| " + " | ".join(cells(figure)) + " |" for figure in rows]
    head = ["| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|"]
    text = [told, "", *head, *body, "", *(f"- Failed: {each}" for each in failed)]
    (folder / "speed.txt").write_text("\n".join(text).rstrip() + "\n", encoding="utf-8")
    (folder / "speed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    turns = sorted({line["turns"] for line in lines if line.get("kind") == "run"} - {0, 1})
    curves: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for each in turns:
        for figure in per_turn(lines, each):
            curves[figure.subject].append((each, figure.value))
    if curves:
        svg = chart.lines("Processor time per turn, by length of the run", "turns", "ms", dict(curves))
        (folder / "per-turn.svg").write_text(svg, encoding="utf-8")
    for file, what in CHARTS.items():
        shown = [(figure.subject, figure.value, figure.unit) for figure in rows if figure.what == what]
        if shown:
            (folder / f"{file}.svg").write_text(chart.bars(what.capitalize(), shown), encoding="utf-8")


CHARTS = {
    "first-request": "start to first request",
    "memory": "peak memory, 200 turns",
    "tokens": "tokens of the first request",
    "parallel": "eight tools of 100 ms",
    "search": "search in 10,000 files",
    "start": "start of a program",
}
