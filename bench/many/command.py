"""What every bench of many runs has in common: its options, and the way from a command to a record and its table."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.many.batch import KEY, Engine, OutOfBudget, Rules, Tally, run
from bench.many.child import code_state
from bench.many.progress_line import Tell, progress_line
from bench.many.task import Task, digest
from bench.record import Line, Record, damaged
from config import PROJECT, ConfigError, load_settings
from records.trace import plain_settings
from sandbox.running.levels import LEVELS

FOLDER = PROJECT / ".runs" / "bench"
INTERRUPTED, LIMIT = 130, 3
NAMES_TOLD = 12
ELSEWHERE = ("_url", "_directory", "_paths", "_data", "_store", "_sock", "_model", "_runs", "provider", "chosen", "mcp")
LONG = ("calls", "report")  # fields that no table and no page tells


@dataclass(frozen=True)
class Made:
    """What came of a batch: the file, the records of the tasks that were asked for, the exit code, and how many runs
    were asked for."""

    path: Path
    lines: list[Line]
    code: int
    total: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what every batch can be told."""
    add = parser.add_argument_group("many runs").add_argument
    cores = max(1, (os.cpu_count() or 2) - 1)
    add("--workers", type=_count, default=cores, metavar="N", help=f"runs side by side (default {cores})")
    add("--cluster", metavar="ADDRESS", help="Dask instead: tcp://HOST:8786, or local for one on this machine")
    add("--wall", choices=LEVELS, default="limits", help="a machine with a weaker sandbox makes no run (default: any)")
    add("--seed", type=int, default=0, help="for what leaves something to chance; each repeat adds one (default 0)")
    add("--budget", type=_amount, default=0.0, metavar="N", help="begin nothing more when so many tokens are used")
    prices = "what a million tokens cost, read and written (0.30,2.50): --budget is in this money then"
    add("--prices", type=_prices, metavar="A,B", help=prices)
    add("--out", type=Path, metavar="FILE", help="JSON lines, a run each (default in .runs/bench)")
    add("--slice", type=_slice, metavar="I/N", help="only the Ith of N slices of the runs; see python -m bench merge")
    add("--fresh", action="store_true", help="forget what an earlier command has made")
    add("--watch", action="store_true", help="see the squares fill in a browser while it runs")
    add("--lost-again", action="store_true", help="make the runs again whose worker was lost")
    parser.set_defaults(board=None)


def measured_or_shown(
    options: argparse.Namespace, measure: Callable[[argparse.Namespace], int], **shows: Callable[..., int]
) -> int:
    """Measure, or show what an option of such a name asks for; the exit code, 1 with a sentence where neither can be
    had."""
    try:
        for name, show in shows.items():
            if asked := getattr(options, name):
                return show(*asked) if isinstance(asked, list) else show(asked)
        if not options.watch:
            return measure(options)
        from bench.many.board import watched

        with watched() as options.board:
            return measure(options)
    except (OSError, ConfigError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1


def make(
    options: argparse.Namespace,
    tasks: Iterable[Task],
    total: int,
    about: Mapping[str, object],
    name: str,
    on_line: Callable[[Line, Tell], None] = lambda line, tell: None,
) -> Made:
    """Make every run that the record does not hold yet. `about` is what makes runs comparable: a record of others is
    refused. `name` is the record's, where the person named none. Raises OSError and ConfigError with the next step."""
    about = {**about, "settings": settings_digest(options)}
    if options.slice:
        number, of = options.slice
        tasks, whole = islice(tasks, number - 1, None, of), total
        total = len(range(number - 1, whole, of))
        name, about = f"{name}-slice-{number}-of-{of}", {**about, "slice": f"{number}/{of}", "runs": total}
    path = options.out or FOLDER / f"{name}.jsonl"
    rules = Rules(options.seed, options.wall, options.budget, options.prices)
    wanted: set[tuple[str, int]] = set()
    told: set[tuple[str, int]] = set()
    tally, code, board = Tally(total), 0, options.board
    if board:
        tasks = [*tasks]  # they stand on the page before their turn comes

    def heard(line: Line, tell: Tell) -> None:
        told.add((line["task"], line["repeat"]))
        on_line(line, tell)

    def asked_for(keys: Collection[tuple[str, int]]) -> list[Line]:
        return [_slim(line, rules) for line in record.lines if (line.get("task"), line.get("repeat")) in keys]

    with Record(path, KEY, lambda line: _forgotten(line, options)) as record:
        _same_as_before(record, {**about, "program": code_state(), "seed": options.seed})
        if board:
            board.begin(path, keys := {task.key for task in tasks}, asked_for(keys))
        with engine_of(options) as engine, progress_line(heard) as show:

            def heard_by_all(tally: Tally, line: Line | None) -> None:
                show(tally, line)
                if board:
                    board.hear(tally, line and _slim(line, rules))

            try:
                run(_noted(tasks, wanted), record, engine, rules, tally, heard_by_all)
            except KeyboardInterrupt:
                print("interrupted; the same command goes on from here", file=sys.stderr)
                code = INTERRUPTED
            except OutOfBudget as spent:
                print(_missing(spent.missing, rules, tally), file=sys.stderr)
                code = LIMIT
        if board and code != INTERRUPTED:
            board.end()
        lines = asked_for(wanted)
    for line in lines:
        if (line["task"], line["repeat"]) not in told:  # made by an earlier command
            on_line(line, lambda text: print(text, file=sys.stderr))
    _tell(lines, tally, path)
    return Made(path, lines, code, total)


def settings_digest(options: argparse.Namespace) -> str:
    """A digest of what else a run depends on: the settings, but for keys, places, addresses and names of models."""
    settings = plain_settings(load_settings({})).items()
    plain = {name: value for name, value in settings if not name.endswith(ELSEWHERE)}
    return digest([plain, options.wall, getattr(options, "seconds", None)])


def chosen(every: Sequence[str], only: str, what: str = "task") -> list[str]:
    """Return the names that contain `only`, or one of its words between commas. Raises ConfigError with the valid ones
    when there is none."""
    found = [name for name in every if any(word in name for word in only.split(","))]
    if found or not only:
        return found
    some = ", ".join(every[:NAMES_TOLD]) + (f" and {len(every) - NAMES_TOLD} more" if len(every) > NAMES_TOLD else "")
    raise ConfigError(f"no {what} has {only!r} in its name; there are {some}")


def engine_of(options: argparse.Namespace) -> Engine:
    """What does the runs. Raises ConfigError when a cluster is asked for and what it needs is not installed."""
    if options.cluster:
        from bench.many.cluster import Cluster

        return Cluster(options.cluster, options.workers)
    from bench.many.local import Local

    return Local(options.workers)


def _slim(line: Line, rules: Rules) -> Line:
    """A record as tables and pages have it: without what is long, and with its cost where the prices are known."""
    slim = {name: value for name, value in line.items() if name not in LONG}
    if not rules.prices:
        return slim
    alone = Tally(1)
    alone.count(line)
    return {**slim, "cost": rules.used(alone)}


def _noted(tasks: Iterable[Task], wanted: set[tuple[str, int]]) -> Iterator[Task]:
    for task in tasks:
        wanted.add(task.key)
        yield task


def _forgotten(line: Line, options: argparse.Namespace) -> bool:
    return options.fresh or (options.lost_again and line.get("outcome") == "lost")


def _same_as_before(record: Record, about: Mapping[str, object]) -> None:
    """Runs of two models, sets or states of the program in one file would look like those of one."""
    before = next((line for line in record.lines if line.get("kind") == "batch"), None)
    if before is None:
        record.add({"kind": "batch", **about})
        return
    other = [f"{name} {before.get(name)}" for name in about if before.get(name) != about[name]]
    if other:
        raise ConfigError(
            f"{record.path} holds other runs ({', '.join(other)}): name another file with --out, or --fresh"
        )


def _missing(names: Collection[str], rules: Rules, tally: Tally) -> str:
    counted = Counter(names)
    some = ", ".join([*counted][:NAMES_TOLD]) + (", ..." if len(counted) > NAMES_TOLD else "")
    unit = "of the prices' money" if rules.prices else "tokens"
    used = f"{rules.used(tally):,.10g} {unit} are used, {rules.budget:,.10g} were allowed"
    return f"{used}; {len(names)} of {tally.total} runs are missing ({some}). A larger --budget goes on from here"


def _tell(lines: Sequence[Line], tally: Tally, path: Path) -> None:
    """What a person must know before they believe the figures."""
    if bad := damaged(path):
        print(f"{bad} lines of {path} cannot be read and are passed over; their runs are made again", file=sys.stderr)
    if tally.before:
        print(f"{tally.before} of {len(lines)} runs were in {path} before; --fresh makes them again", file=sys.stderr)
    now = code_state()
    if others := sorted({line["glassbox"] for line in lines if "glassbox" in line} - {now}):
        print(f"some runs were made by another state of the program: {', '.join(others)}, now {now}", file=sys.stderr)
    if lost := [line for line in lines if line.get("outcome") == "lost"]:
        why = Counter(line["cause"] for line in lost).most_common(1)[0][0]
        print(f"{len(lost)} runs were lost three times ({why}); --lost-again tries them once more", file=sys.stderr)
    if faults := [line["cause"] for line in lines if line.get("outcome") == "error"]:
        print(f"{len(faults)} runs could not be made: {faults[0]}", file=sys.stderr)


def _amount(text: str) -> float:
    try:
        if float(text) > 0:
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")


def _slice(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return int(number), int(of)
    raise argparse.ArgumentTypeError(f"{text!r} is no slice: 1/10 is the first of ten")


def _prices(text: str) -> tuple[float, float]:
    read, _, written = text.partition(",")
    return _amount(read), _amount(written)


def _count(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)
