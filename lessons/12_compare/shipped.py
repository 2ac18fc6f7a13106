"""The real thing in place of the learner's compare(): the bench's, which has a hat for each task."""

from bench import chance


def compare(a: tuple[int, int], b: tuple[int, int]) -> str:
    before, after = ([True] * solved + [False] * (tried - solved) for solved, tried in (a, b))
    return chance.compare({"task": before}, {"task": after})
