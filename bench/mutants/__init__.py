"""`python -m bench mutants [ROOM ...]`: change the program's own code in small ways, and see whether the tests notice.

A mutant is one change that cosmic-ray makes (https://cosmic-ray.readthedocs.io): another operator, another number, a
loop that never runs. Every room has far more of them than anybody waits for, so a random sample is tried, and the seed
is printed. It works on a copy, and lets only those tests run that pass through the changed lines. A mutant that changes
annotations or documentation alone is none, nor is one of `datasets/mutants/equivalent.yaml`.
"""

from __future__ import annotations

import argparse
import random
import sys
from importlib.util import find_spec

from bench.mutants.rooms import ROOMS


def main(arguments: list[str]) -> int:
    """Measure and print; exit code 0, 1 when nothing could be measured."""
    options = _options(arguments)
    if find_spec("cosmic_ray") is None or find_spec("coverage") is None:
        print("Error: this needs cosmic-ray and coverage. Add them: uv sync --group mutation", file=sys.stderr)
        return 1
    from bench.mutants.measure import measure

    measured = {name: measure(name, options.sample, options.seed) for name in options.rooms or ROOMS}
    return 0 if all(measured.values()) else 1


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rooms", metavar="ROOM", nargs="*", help=f"of {', '.join(ROOMS)} (all)")
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="mutants of each room (40)")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32), help="to try the same ones again")
    options = parser.parse_args(arguments)
    if unknown := set(options.rooms) - set(ROOMS):
        parser.error(f"there is no room {', '.join(unknown)}; it may be {', '.join(ROOMS)}")
    return options
