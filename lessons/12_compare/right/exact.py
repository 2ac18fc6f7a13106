"""No hat: all the ways in which the slips can fall, counted."""

from fractions import Fraction
from math import comb


def compare(a, b):
    if not (a[1] and b[1]):
        return "cannot tell"
    solved, tried = a[0] + b[0], a[1] + b[1]
    real = Fraction(b[0], b[1]) - Fraction(a[0], a[1])
    extreme = 0
    for k in range(max(0, solved - b[1]), min(solved, a[1]) + 1):
        if abs(Fraction(solved - k, b[1]) - Fraction(k, a[1])) >= abs(real):
            extreme += comb(solved, k) * comb(tried - solved, a[1] - k)
    if Fraction(extreme, comb(tried, a[1])) > Fraction(1, 20):
        return "cannot tell"
    return "better" if real > 0 else "worse"
