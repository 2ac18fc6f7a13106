# REASON: nothing was tried
"""Lesson 12: did my change help?"""

import random

SHUFFLES = 2000


def apart(first, second):
    """How far the share of 1s in the second list is above that in the first."""
    return sum(second) / len(second) - sum(first) / len(first)


def compare(a, b):
    """Say whether b, as (solved, tried), is better than a: "better", "worse" or "cannot tell"."""
    first = [1] * a[0] + [0] * (a[1] - a[0])  # a slip for each task: 1 is solved, 0 is not
    second = [1] * b[0] + [0] * (b[1] - b[0])
    hat = random.Random(0)  # hat.shuffle(slips) mixes the list itself, and returns nothing
    seen = apart(first, second)
    slips = first + second
    by_chance = 0
    for _ in range(SHUFFLES):
        hat.shuffle(slips)
        if abs(apart(slips[: a[1]], slips[a[1] :])) >= abs(seen) - 1e-9:
            by_chance += 1
    if by_chance > SHUFFLES * 0.05:
        return "cannot tell"
    return "better" if seen > 0 else "worse"
