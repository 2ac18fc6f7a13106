# REASON: 40 of 80
import random


def compare(a, b):
    if not (a[1] and b[1]):
        return "cannot tell"
    if abs(a[0] - b[0]) < 10:
        return "cannot tell"
    random.seed(0)
    return "better" if b[0] > a[0] else "worse"
