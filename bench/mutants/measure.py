"""One room measured: a copy of the project, a sample of its mutants, and for each the tests that pass through it."""

from __future__ import annotations

import ast
import hashlib
import itertools
import json
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.mutants.changes import Mutant, mutant_at, places_in
from bench.mutants.rooms import ROOMS, files_of
from bench.progress import Task, run_all
from bench.record import Line, Record
from config import PROJECT, whole_environment

NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".ci", ".runs", "__pycache__", ".*_cache", "bugs", "my_agent")
RECORD = PROJECT / ".runs" / "mutants.jsonl"
LONGEST = 1800.0  # seconds; all tests of a room, watched


@dataclass
class Suite:
    """The process that runs tests in the copy, and which of them pass through which line."""

    copy: Path
    process: subprocess.Popen[str]
    through: dict[str, dict[str, list[str]]]
    seconds: dict[str, float]

    def order(self, order: Line) -> Any:
        """Have something run (forked.py says what); None when the process is gone."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or "null")

    def passing(self, mutant: Mutant) -> list[str]:
        """The tests that run a changed line, the quickest first; of a line that runs at import alone, or in another
        process alone, all that run anything of the file, else all."""
        lines = self.through.get(mutant.path, {})
        wanted = {test for line in statement(mutant) for test in lines.get(str(line), ())}
        wanted = wanted or {test for found in lines.values() for test in found} or set(self.seconds)
        return sorted(wanted, key=lambda test: self.seconds.get(test, 0.0))

    def tried(self, mutant: Mutant) -> Line:
        """Put the mutant in its place, run the tests, take it away. Hanging is noticed, too."""
        tests, place = self.passing(mutant), self.copy / mutant.path
        before = place.read_text(encoding="utf-8")
        place.write_text(mutant.text, encoding="utf-8")
        try:
            limit = 20 + 4 * sum(self.seconds[test] for test in tests)
            found = self.order({"tests": tests, "seconds": limit})["noticed"]
        finally:
            place.write_text(before, encoding="utf-8")
        return {"noticed": found, "tests": len(tests), "change": "\n".join(f"    {line}" for line in mutant.change)}


def statement(mutant: Mutant) -> range:
    """The lines of the smallest statement that the mutant changes; of one with a body, without that."""
    first = min(mutant.lines)
    found = range(first, max(mutant.lines) + 1)
    best = sys.maxsize
    for node in ast.walk(ast.parse((PROJECT / mutant.path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt) and node.lineno <= first <= (node.end_lineno or node.lineno):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            if first <= max(end, node.lineno) and (node.end_lineno or 0) - node.lineno < best:
                best, found = (node.end_lineno or 0) - node.lineno, range(node.lineno, max(end, node.lineno) + 1)
    return found


def measure(name: str, sample: int, seed: int) -> bool:
    """Try a sample of the room's mutants, print the share that the tests noticed, and those that they did not.

    False when the tests fail as the program is, so that nothing can be told.
    """
    folder = Path(tempfile.mkdtemp(prefix="glassbox-mutants-"))
    try:
        shutil.copytree(PROJECT, folder / "copy", ignore=NOT_COPIED)
        same = {"room": name, "seed": seed, "state": state(name)}
        with Record(RECORD, (*same, "path", "mutation", "number")) as record:
            count = _try_a_sample(same, sample, folder / "copy", record)
            lines = [line for line in record.lines if same.items() <= line.items()]
    finally:  # a mutant may leave a tree behind that is deeper than shutil.rmtree can go
        subprocess.run(["rm", "-rf", str(folder)], check=False)
    if not count:
        return False
    caught = sum(bool(line["noticed"]) for line in lines)
    share = f"{100 * caught / max(1, len(lines)):.0f} %"
    print(f"{name}: {caught} of {len(lines)} noticed ({share}); a sample of {count} places, --seed {seed}")
    for line in lines:
        if not line["noticed"]:
            print(f"  {line['path']}: {line['mutation']}, of {line['tests']} tests\n{line['change']}")
    sys.stdout.flush()
    return True


def state(name: str) -> str:
    """A digest of the room and its tests: what was measured of another state is measured anew."""
    digest = hashlib.sha256()
    for path in sorted({*(PROJECT / "tests").glob("**/*.py"), *map(PROJECT.joinpath, files_of(ROOMS[name]))}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _try_a_sample(same: Line, sample: int, copy: Path, record: Record) -> int:
    """How many places the room has to change, 0 when the tests fail without any change."""
    name, room = same["room"], ROOMS[same["room"]]
    command = [sys.executable, "bench/mutants/forked.py"]
    environment = {**whole_environment(), "COVERAGE_CORE": "ctrace"}  # the one that knows tests apart
    with subprocess.Popen(
        command, cwd=copy, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            tests = Suite(copy, process, {}, {})
            files = list(files_of(room))
            watched = tests.order({"watch": files, "tests": room.tests, "seconds": LONGEST})
            if not watched or watched["failed"]:
                print(f"{name}: the tests fail as it is, so nothing can be told", file=sys.stderr)
                return 0
            tests.through, tests.seconds = watched["tests"], watched["seconds"]
            places = [(path, *place) for path in files for place in places_in(path)]
            random.Random(same["seed"]).shuffle(places)
            chosen = itertools.islice((each for each in itertools.starmap(mutant_at, places) if each), sample)
            run_all([_task(same, each, tests) for each in chosen], record)
            return len(places)
        finally:
            process.kill()


def _task(same: Line, mutant: Mutant, tests: Suite) -> Task:
    line = {**same, "path": mutant.path, "mutation": mutant.kind, "number": mutant.number}
    return Task(line, lambda: tests.tried(mutant))
