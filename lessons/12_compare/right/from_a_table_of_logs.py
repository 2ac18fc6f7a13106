from math import exp, lgamma


def log_ways(n, k):
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def compare(a, b):
    solved, tried = a[0] + b[0], a[1] + b[1]
    if a[1] * b[1] == 0:
        return "cannot tell"
    seen = b[0] / b[1] - a[0] / a[1]
    chance = 0.0
    for first in range(max(0, solved - b[1]), min(solved, a[1]) + 1):
        if abs((solved - first) / b[1] - first / a[1]) > abs(seen) - 1e-9:
            chance += exp(log_ways(a[1], first) + log_ways(b[1], solved - first) - log_ways(tried, solved))
    if chance > 0.05:
        return "cannot tell"
    return "better" if seen > 0 else "worse"
