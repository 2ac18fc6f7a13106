from math import comb


def compare(a, b):
    """Without dice: count all ways in which the slips can fall."""
    if 0 in (a[1], b[1]):
        return "cannot tell"
    solved, seen, far = a[0] + b[0], b[0] / b[1] - a[0] / a[1], 0
    for first in range(solved + 1):
        second = solved - first
        if first <= a[1] and second <= b[1] and abs(second / b[1] - first / a[1]) >= abs(seen) - 1e-9:
            far += comb(a[1], first) * comb(b[1], second)
    if far / comb(a[1] + b[1], solved) > 0.05:
        return "cannot tell"
    return "better" if seen > 0 else "worse"
