"""Lesson 12: pairs of results that chance explains, and pairs that it does not."""

from __future__ import annotations

from typing import Any

PAIRS = (
    ((6, 10), (7, 10), "cannot tell", "chance alone is this far apart every time"),
    ((4, 20), (17, 20), "better", "chance is this far apart less than once in a thousand times"),
    ((17, 20), (4, 20), "worse", "the same, the other way round"),
    ((0, 3), (3, 3), "cannot tell", "with 3 tasks each, chance does this 1 time in 10"),
    ((5, 10), (5, 10), "cannot tell", "there is no difference at all"),
    ((10, 10), (10, 10), "cannot tell", "there is no difference at all"),
    ((10, 20), (40, 80), "cannot tell", "10 of 20 and 40 of 80 are the same share"),
    ((30, 100), (60, 100), "better", "with 100 tasks each, a difference of 30 is no chance"),
    ((60, 100), (30, 100), "worse", "the same, the other way round"),
    ((0, 0), (3, 3), "cannot tell", "nothing was tried"),
)


def check(lesson: Any) -> None:
    rows = []
    for a, b, wanted, why in PAIRS:
        with lesson.case(f"{a[0]} of {a[1]}, then {b[0]} of {b[1]}", why):
            answer = lesson.call("compare", a, b, shown=f"compare({a}, {b})")
            lesson.expect(answer == wanted, repr(wanted), why)
            rows.append(f"{a[0]:>3} of {a[1]:<3} then {b[0]:>3} of {b[1]:<3}  {answer:12} {why}")
    with lesson.case("the same numbers, the same answer each time"):
        answers = {lesson.call("compare", (9, 20), (15, 20)) for _ in range(4)}
        lesson.expect(
            len(answers) == 1,
            "one answer, four times: shake with random.Random(0)",
            "a verdict that changes from day to day is no verdict",
            got=", ".join(sorted(map(str, answers))),
        )
    lesson.picture.append("\n".join(["What your function says of a change to a prompt:", *rows]))
