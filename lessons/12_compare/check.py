"""Lesson 12: pairs of results that chance explains, and pairs that it does not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

RARE = 0.05
SECONDS = 9.0  # three dozen times 2,000 shuffles

PAIRS = (
    ((6, 10), (7, 10), "cannot tell", "chance alone is this far apart every time"),
    ((4, 20), (17, 20), "better", "chance is this far apart less than once in a thousand times"),
    ((17, 20), (4, 20), "worse", "the same, the other way round"),
    ((0, 3), (3, 3), "cannot tell", "with 3 tasks each, chance does this 1 time in 10"),
    ((5, 10), (5, 10), "cannot tell", "there is no difference at all"),
    ((10, 10), (10, 10), "cannot tell", "there is no difference at all"),
    ((10, 20), (40, 80), "cannot tell", "10 of 20 and 40 of 80 are the same share"),
    ((15, 50), (30, 50), "better", "with 50 tasks each, 15 more are no chance"),
    ((30, 50), (15, 50), "worse", "the same, the other way round"),
    ((20, 28), (26, 28), "cannot tell", "chance does this 1 time in 13, which 200 shuffles may not show: take 2,000"),
    ((11, 25), (18, 25), "cannot tell", "chance does this 1 time in 12, which 200 shuffles may not show: take 2,000"),
    ((0, 10), (10, 10), "better", "none solved is not none tried"),
    ((10, 10), (0, 10), "worse", "the same, the other way round"),
    ((0, 0), (3, 3), "cannot tell", "nothing was tried"),
    ((3, 3), (0, 0), "cannot tell", "nothing was tried"),
)


NEAR = ((2, 4), (0, 12))  # so near to 1 in 20 that each new shuffling says something else


def check(lesson: Any) -> None:
    rows = []
    for a, b, wanted, why in PAIRS:
        with lesson.case(f"{a[0]} of {a[1]}, then {b[0]} of {b[1]}", why):
            answer = lesson.call("compare", a, b, shown=f"compare({a}, {b})")
            lesson.expect(answer == wanted, repr(wanted), why)
            rows.append(f"{a[0]:>3} of {a[1]:<3} then {b[0]:>3} of {b[1]:<3}  {answer:12} {why}")
    for title, pairs in new_pairs(lesson.fresh).items():
        with lesson.case(title, "who sees progress in dice rewrites prompts for weeks"):
            for a, b in pairs:
                answer = lesson.call("compare", a, b, shown=f"compare({a}, {b})")
                share = by_chance(a, b)
                wanted = "cannot tell" if share > RARE else "better" if b[0] / b[1] > a[0] / a[1] else "worse"
                why = f"in {share:.1%} of all ways to deal the slips out, the groups are at least as far apart, either way round"
                lesson.expect(answer == wanted, repr(wanted), f"{why}; the line is at 5 %")
    with lesson.case(
        "the same numbers, the same answer each time", "a verdict that changes from day to day is no verdict"
    ):
        answers = {lesson.call("compare", *NEAR) for _ in range(12)}
        lesson.expect(
            len(answers) == 1,
            "one answer, twelve times: shake with random.Random(0)",
            "a verdict that changes from day to day is no verdict",
            got=", ".join(sorted(map(str, answers))),
        )
    lesson.picture.append("\n".join(["What your function says of a change to a prompt:", *rows]))


Result = tuple[int, int]


def by_chance(a: Result, b: Result) -> float:
    """The share of all ways to deal the slips out in which the groups are at least as far apart: no dice, all ways."""
    solved, tried = a[0] + b[0], a[1] + b[1]
    seen = abs(b[0] / b[1] - a[0] / a[1])
    ways = 0
    for first in range(max(0, solved - b[1]), min(solved, a[1]) + 1):
        if abs((solved - first) / b[1] - first / a[1]) >= seen - 1e-9:
            ways += math.comb(a[1], first) * math.comb(b[1], solved - first)
    return ways / math.comb(tried, solved)


def one_side_doubled(a: Result, b: Result) -> float:
    """The same for whoever counts what is as far apart in the same direction, and takes it twice."""
    solved, seen = a[0] + b[0], b[0] / b[1] - a[0] / a[1]
    firsts = range(max(0, solved - b[1]), min(solved, a[1]) + 1)
    far = [first for first in firsts if ((solved - first) / b[1] - first / a[1]) * seen >= seen * seen - 1e-9]
    ways = sum(math.comb(a[1], first) * math.comb(b[1], solved - first) for first in far)
    return 2 * ways / math.comb(a[1] + b[1], solved)


def dealt_in_halves(a: Result, b: Result) -> float:
    """The same for whoever deals two equal groups, whatever the real ones were."""
    half = (a[1] + b[1]) // 2
    seen, solved = abs(b[0] / b[1] - a[0] / a[1]), a[0] + b[0]
    rest = a[1] + b[1] - half
    shares = range(max(0, solved - rest), min(solved, half) + 1)
    far = [first for first in shares if abs((solved - first) / rest - first / half) >= seen - 1e-9]
    return sum(math.comb(half, first) * math.comb(rest, solved - first) for first in far) / math.comb(
        half + rest, solved
    )


def new_pairs(fresh: Any) -> dict[str, list[tuple[Result, Result]]]:
    """Pairs of every kind that a rule of thumb gets wrong; each far enough from 5 % for any number of shuffles."""

    def draw(
        count: int, tried: Callable[[], Result], fits: Callable[[Result, Result], bool]
    ) -> list[tuple[Result, Result]]:
        found: list[tuple[Result, Result]] = []
        while len(found) < count:
            first, second = tried()
            a, b = (fresh.randint(0, first), first), (fresh.randint(0, second), second)
            if fits(a, b):
                found.append((a, b) if fresh.random() < 0.5 else (b, a))
        return found

    def alike(low: int, high: int) -> Callable[[], Result]:
        return lambda: (fresh.randint(low, high),) * 2

    def gap(a: Result, b: Result) -> float:
        return abs(a[0] / a[1] - b[0] / b[1])

    return {
        "few tasks, far apart, and still chance": draw(
            3, alike(4, 12), lambda a, b: gap(a, b) > 0.24 and by_chance(a, b) > 0.12
        ),
        "many tasks, close together, and no chance": draw(
            1, alike(115, 140), lambda a, b: gap(a, b) < 0.19 and 0.001 < by_chance(a, b) < 0.02
        ),
        "rare, but not rare enough": draw(2, alike(15, 30), lambda a, b: 0.072 < by_chance(a, b) < 0.085),
        "rare enough": draw(2, alike(15, 30), lambda a, b: 0.018 < by_chance(a, b) < 0.032),
        "rare enough, and twice as often were not": draw(
            2, alike(15, 30), lambda a, b: 0.030 < by_chance(a, b) < 0.034
        ),
        "groups of different sizes": draw(
            2,
            lambda: (fresh.randint(4, 8), fresh.randint(50, 80)),
            lambda a, b: by_chance(a, b) > 0.1 and dealt_in_halves(a, b) < 0.02,
        ),
        "groups of different sizes, and no chance": draw(
            4,
            lambda: (fresh.randint(4, 9), fresh.randint(14, 30)),
            lambda a, b: 0.030 < by_chance(a, b) < 0.034 and one_side_doubled(a, b) > 0.060,
        ),
    }
