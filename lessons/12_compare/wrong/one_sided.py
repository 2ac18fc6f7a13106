# REASON: worse
import random


def compare(a, b):
    if not (a[1] and b[1]):
        return "cannot tell"
    slips = [1] * (a[0] + b[0]) + [0] * (a[1] - a[0] + b[1] - b[0])
    seen, hat, by_chance = b[0] / b[1] - a[0] / a[1], random.Random(0), 0
    for _ in range(2000):
        hat.shuffle(slips)
        by_chance += sum(slips[a[1] :]) / b[1] - sum(slips[: a[1]]) / a[1] >= seen - 1e-9
    return "cannot tell" if by_chance > 100 else "better"
