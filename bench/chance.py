"""What chance does to a pass rate: an interval around one, and whether two differ by more than chance explains."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

SHUFFLES = 2000
RARE = 0.05
Z = 1.959963984540054  # of the normal distribution: 95 % lies within


def wilson(passed: int, tried: int) -> tuple[float, float]:
    """Return the 95 % interval of a share: Wilson's (1927), which also holds for few tries and near 0 and 1."""
    if not tried:
        return 0.0, 1.0
    share, square = passed / tried, Z * Z / tried
    middle = share + square / 2
    spread = Z * math.sqrt((share * (1 - share) + square / 4) / tried)
    return max(0.0, (middle - spread) / (1 + square)), min(1.0, (middle + spread) / (1 + square))


def compare(a: Mapping[str, Sequence[bool]], b: Mapping[str, Sequence[bool]]) -> str:
    """Say whether `b` is "better" or "worse" than `a`, or "cannot tell". Both hold, for each task, what passed.

    Lesson 12's hat, one for each task: if nothing has changed, it is chance which of a task's results came before and
    which after. Results of one task are alike, so they are never mixed with those of another. Tasks that only one side
    tried tell nothing.
    """
    tasks = [(list(a[name]), list(b[name])) for name in sorted(a.keys() & b.keys()) if a[name] and b[name]]
    seen = sum(apart(before, after) for before, after in tasks)
    hat = random.Random(0)
    by_chance = 0
    for _ in range(SHUFFLES):
        total = 0.0
        for before, after in tasks:
            slips = before + after
            hat.shuffle(slips)
            total += apart(slips[: len(before)], slips[len(before) :])
        by_chance += abs(total) >= abs(seen) - 1e-9
    if by_chance > SHUFFLES * RARE:
        return "cannot tell"
    return "better" if seen > 0 else "worse"


def apart(before: Sequence[bool], after: Sequence[bool]) -> float:
    return sum(after) / len(after) - sum(before) / len(before)
