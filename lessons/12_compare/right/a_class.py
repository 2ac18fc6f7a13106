import random
from typing import NamedTuple


class Result(NamedTuple):
    solved: int
    tried: int


class Hat:
    def __init__(self, a: Result, b: Result) -> None:
        self.random = random.Random(0)
        self.a, self.b = a, b
        self.slips = [i < a.solved + b.solved for i in range(a.tried + b.tried)]

    def difference(self, solved: int) -> int:
        """Of the two shares, times both numbers of tries: whole numbers have no rounding."""
        return (self.a.solved + self.b.solved - solved) * self.a.tried - solved * self.b.tried

    def shake(self) -> int:
        self.random.shuffle(self.slips)
        return self.difference(sum(self.slips[: self.a.tried]))

    def judge(self) -> str:
        seen = self.difference(self.a.solved)
        alike = [abs(self.shake()) >= abs(seen) for _ in range(2000)].count(True)
        if alike > 100:
            return "cannot tell"
        return "better" if seen > 0 else "worse"


def compare(a, b):
    if min(a[1], b[1]) <= 0:
        return "cannot tell"
    return Hat(Result(*a), Result(*b)).judge()
