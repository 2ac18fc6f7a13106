"""Is one batch better than another, or can that not be told?"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from bench.chance import compare
from bench.many.table import interval, made
from bench.record import read
from config import ConfigError


def print_comparison(a: Path, b: Path) -> int:
    """Say "better", "worse" or "cannot tell" of record `b` beside record `a`; exit code 0. Runs that were not made, and
    tasks that only one side tried, tell nothing."""
    sides = [_by_task(path) for path in (a, b)]
    for path, side in zip((a, b), sides, strict=True):
        results = [passed for several in side.values() for passed in several]
        print(f"{path.name}: {sum(results)} of {len(results)} ({interval(sum(results), len(results))} %)")
    common = sides[0].keys() & sides[1].keys()
    print(f"{compare(*sides)}, over the {len(common)} tasks that both tried" if common else "no task was tried by both")
    return 0


def _by_task(path: Path) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = defaultdict(list)
    if not path.is_file():
        raise ConfigError(f"there is no record {path}; a batch writes one with --out")
    for line in read(path):
        if line.get("kind") == "attempt" and made(line):
            found[line["task"]].append(bool(line["solved"]))
    return found
