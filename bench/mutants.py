"""`python -m bench mutants [ROOM ...]`: change the program's own code in small ways, and see whether the tests notice.

A mutant is one change that cosmic-ray makes (https://cosmic-ray.readthedocs.io): another operator, another number, a
loop that never runs. Every room has far more of them than anybody waits for, so a random sample is tried, and the seed
is printed. It works on a copy; a mutant that only changes annotations or documentation is none.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import itertools
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bench import children
from bench.progress import Task, run_all
from bench.record import Line, Record
from config import PROJECT, whole_environment

NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".runs", "__pycache__", ".*_cache", "bugs", "my_agent")
SAME = re.compile(r"_(Eq_Is|NotEq_IsNot|Is_Eq|IsNot_NotEq)$")  # for small numbers, short texts and what is there once
RECORD = PROJECT / ".runs" / "mutants.jsonl"


@dataclass(frozen=True)
class Room:
    """What is changed, and which tests are to notice, the quickest first."""

    files: tuple[str, ...]  # globs
    tests: tuple[str, ...]


ROOMS = {
    "agent": Room(
        ("agent/*.py",),
        (
            "agent/test_sources",
            "main/test_contracts",
            "agent/test_instructions",
            "agent/test_gates",
            "agent/test_limits",
            "agent/test_retries",
            "agent/test_trajectory",
            "agent/test_context",
            "providers/test_text_calls",
            "records/test_conversation",
            "providers/test_small_window",
        )
        + ("cli/test_terminal", "records/test_trace", "agent/test_deadline", "doors/test_api"),
    ),
    "files": Room(
        ("sandbox/files/[!w]*.py",),
        (
            "sandbox/test_globs",
            "sandbox/test_planted",
            "sandbox/test_below",
            "sandbox/test_replace",
            "sandbox/test_pattern",
            "sandbox/test_off_limits",
            "sandbox/test_files",
            "functions/test_tools",
            "sandbox/test_quarantine",
        ),
    ),
    "dispatch": Room(
        ("call_functions.py",), ("main/test_call_functions", "providers/test_text_calls", "agent/test_gates")
    ),
    "undo": Room(("records/undo/*.py",), ("records/test_watched", "records/test_patch", "records/test_undo")),
}


@dataclass(frozen=True)
class Mutant:
    """One change: the file, what kind of change, the how-manieth of its kind, and the file's text with it."""

    path: str
    kind: str
    number: int
    text: str


def main(arguments: list[str]) -> int:
    """Measure and print; exit code 0, 1 for usage."""
    options = _options(arguments)
    if find_spec("cosmic_ray") is None:
        print("Error: this needs cosmic-ray. Add it: uv sync --group mutation", file=sys.stderr)
        return 1
    for name in options.rooms or ROOMS:
        measure(name, ROOMS[name], options)
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rooms", metavar="ROOM", nargs="*", help=f"of {', '.join(ROOMS)} (all)")
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="mutants of each room (40)")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32), help="to try the same ones again")
    options = parser.parse_args(arguments)
    if unknown := set(options.rooms) - set(ROOMS):
        parser.error(f"there is no room {', '.join(unknown)}; it may be {', '.join(ROOMS)}")
    return options


def measure(name: str, room: Room, options: argparse.Namespace) -> None:
    """Try a sample of the room's mutants, and print the share that the tests noticed, and those that they did not."""
    folder = Path(tempfile.mkdtemp(prefix="glassbox-mutants-"))
    with Record(RECORD, ("room", "seed", "path", "mutation", "number")) as record:
        try:
            count = try_a_sample(name, room, options, folder / "copy", record)
        finally:  # a mutant may leave a tree behind that is deeper than shutil.rmtree can go
            subprocess.run(["rm", "-rf", str(folder)], check=False)
    if not count:
        return
    lines = [line for line in record.lines if line.get("room") == name and line.get("seed") == options.seed]
    caught = sum(bool(line["noticed"]) for line in lines)
    share = f"{100 * caught / max(1, len(lines)):.0f} %"
    print(f"{name}: {caught} of {len(lines)} noticed ({share}); a sample of {count} places, --seed {options.seed}")
    for line in lines:
        if not line["noticed"]:
            print(f"  {line['path']}: {line['mutation']}\n{line['change']}")


def try_a_sample(name: str, room: Room, options: argparse.Namespace, copy: Path, record: Record) -> int:
    """Try the mutants that the seed chooses; how many there are in all, 0 when the tests fail without any."""
    shutil.copytree(PROJECT, copy, ignore=NOT_COPIED)
    tests = [f"tests/{each}.py" for each in room.tests]
    began = time.perf_counter()
    if noticed(copy, tests, 600.0):
        print(f"{name}: the tests fail as it is, so nothing can be told: {' '.join(tests)}", file=sys.stderr)
        return 0
    limit = 10 + 3 * (time.perf_counter() - began)
    places = [(path, *place) for path in files_of(room) for place in places_in(path)]
    random.Random(options.seed).shuffle(places)
    every = (mutant for mutant in itertools.starmap(mutant_at, places) if mutant)
    chosen = itertools.islice(every, options.sample)
    tasks = [
        Task(_line(name, options.seed, each), lambda each=each: tried(each, copy, tests, limit)) for each in chosen
    ]
    run_all(tasks, record)
    return len(places)


def _line(room: str, seed: int, mutant: Mutant) -> Line:
    return {"room": room, "seed": seed, "path": mutant.path, "mutation": mutant.kind, "number": mutant.number}


def files_of(room: Room) -> Iterator[str]:
    """The files of a room that hold code."""
    for glob in room.files:
        for path in sorted(PROJECT.glob(glob)):
            if path.stat().st_size:
                yield str(path.relative_to(PROJECT))


def places_in(path: str) -> Iterator[tuple[str, int]]:
    """Every place of a file that can be changed: what kind of change, and the how-manieth of its kind."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    nodes = list(ast_nodes(get_ast((PROJECT / path).read_text(encoding="utf-8"))))
    for kind in operator_names():
        operator = get_operator(kind)
        if not operator.arguments() and not SAME.search(kind):
            yield from (
                (kind, number) for number in range(sum(len(list(operator().mutation_positions(n))) for n in nodes))
            )


def mutant_at(path: str, kind: str, number: int) -> Mutant | None:
    """The change, None when the file then means the same, or is no Python."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    text = (PROJECT / path).read_text(encoding="utf-8")
    changed = mutate_code(text, get_operator(kind)(), number)
    return Mutant(path, kind, number, changed) if changed and meaning(changed) not in ("", meaning(text)) else None


def meaning(text: str) -> str:
    """What a text does, as its syntax tree without annotations and documentation; "" when it is no Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.Call):  # strict=True of zip guards what cannot happen
            node.keywords = [each for each in node.keywords if each.arg != "strict"]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(0)
    return ast.dump(tree)


def tried(mutant: Mutant, copy: Path, tests: Sequence[str], limit: float) -> Line:
    """Put the mutant in its place, run the tests, take it away."""
    place = copy / mutant.path
    before = place.read_text(encoding="utf-8")
    place.write_text(mutant.text, encoding="utf-8")
    try:
        found = noticed(copy, tests, limit)
    finally:
        place.write_text(before, encoding="utf-8")
    lines = difflib.unified_diff(before.splitlines(), mutant.text.splitlines(), lineterm="", n=0)
    return {"noticed": found, "change": "\n".join(f"    {line}" for line in list(lines)[2:])}


def noticed(copy: Path, tests: Sequence[str], limit: float) -> bool:
    """Whether the tests fail; hanging is failing too."""
    place = f"--basetemp={copy.parent / 'tests'}"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", place, *tests]
    try:
        return children.run(command, limit, whole_environment(), copy).returncode != 0
    except subprocess.TimeoutExpired:
        return True
