from fractions import Fraction
from functools import cache
from math import comb


@cache
def compare(a, b):
    if not all((a[1], b[1])):
        return "cannot tell"

    def apart(first):
        return abs(Fraction(a[0] + b[0] - first, b[1]) - Fraction(first, a[1]))

    ways = {n: comb(a[1], n) * comb(b[1], a[0] + b[0] - n) for n in range(a[1] + 1) if n <= a[0] + b[0]}
    far = sum(count for first, count in ways.items() if apart(first) >= apart(a[0]))
    rare = Fraction(far, sum(ways.values())) <= Fraction(1, 20)
    return "cannot tell" if not rare else "better" if b[0] * a[1] > a[0] * b[1] else "worse"
