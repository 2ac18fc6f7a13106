"""`python -m bench merge OUT PART...`: the records of slices (`--slice I/N`) as the record of one run of the whole.

Parts must be of one model, set, state of the program, seed and settings; a slice may have been killed and run again, in
its own file or in another.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.many.batch import KEY
from bench.record import Line, damaged, read, write
from config import ConfigError

OF_A_SLICE = ("kind", "slice", "runs")  # what the heads of two slices need not share
INCOMPLETE = 3


def main(arguments: list[str]) -> int:
    """Merge; exit code 0, 1 when the parts do not belong together, 3 when runs are missing."""
    build = argparse.ArgumentParser(prog="python -m bench merge", description=__doc__)
    build.add_argument("out", type=Path, metavar="OUT", help="the file to write")
    build.add_argument("parts", type=Path, nargs="+", metavar="PART", help="a slice's record")
    options = build.parse_args(arguments)
    try:
        if options.out.exists():
            raise ConfigError(f"{options.out} exists: name a new file")
        missing = merge(options.out, options.parts)
    except (OSError, ConfigError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    for sentence in missing:
        print(sentence, file=sys.stderr)
    return INCOMPLETE if missing else 0


def merge(out: Path, parts: Sequence[Path]) -> list[str]:
    """Write one record of the parts', sorted by repeat and task; return what is missing, a sentence each. Raises
    ConfigError when they do not belong together."""
    machine, head = {"kind": "machine"}, Line()
    slices: dict[str, int] = {}  # of each slice that there is a part of, its runs
    runs: dict[tuple[object, ...], Line] = {}
    for part in parts:
        lines = list(read(part))
        here = next((line for line in lines if line.get("kind") == "batch"), None)
        if here is None:
            raise ConfigError(f"{part} is no record of a batch")
        _must_fit(part, here, head)
        machine = next((line for line in lines if line.get("kind") == "machine"), machine) if not head else machine
        head = head or here
        made = {tuple(line.get(name) for name in KEY): line for line in lines if line.get("kind") == "attempt"}
        if bad := damaged(part):
            print(f"{bad} lines of {part} cannot be read and are passed over", file=sys.stderr)
        if "slice" in here:
            slices[here["slice"]] = here["runs"]
        for key, line in made.items():
            if key not in runs or runs[key].get("outcome") == "lost":
                runs[key] = line
    whole = {name: value for name, value in head.items() if name not in OF_A_SLICE[1:]}
    ordered = sorted(runs.values(), key=lambda line: (line["repeat"], line["task"]))
    write(out, [machine, whole, *ordered])
    print(f"{out}: {len(ordered)} runs of {len(parts)} files", file=sys.stderr)
    return _missing(slices, len(ordered))


def _must_fit(part: Path, here: Line, head: Line) -> None:
    names = [name for name in {**head, **here} if name not in OF_A_SLICE] if head else []
    other = [f"{name} {here.get(name)}, not {head.get(name)}" for name in names if here.get(name) != head.get(name)]
    if head and "slice" in here and "slice" in head and _of(here["slice"]) != _of(head["slice"]):
        other.append(f"slice {here['slice']}, not of {_of(head['slice'])}")
    if other:
        raise ConfigError(f"{part} holds other runs ({'; '.join(other)}): merge what one command made")


def _of(named: str) -> int:
    return int(named.partition("/")[2])


def _missing(slices: dict[str, int], made: int) -> list[str]:
    if not slices:
        return []
    of = _of(next(iter(slices)))
    absent = [name for number in range(1, of + 1) if (name := f"{number}/{of}") not in slices]
    told = [f"no part is of slice {', '.join(absent)}"] if absent else []
    expected = sum(slices.values())
    if made < expected:
        told.append(f"{expected - made} runs of these slices are missing: run them again with the same command")
    return told
