from random import Random


def compare(a, b):
    if 0 in (a[1], b[1]):
        return "cannot tell"
    hat, s, n = Random(0), a[0] + b[0], a[1] + b[1]
    gap = lambda k: round((s - k) / b[1] - k / a[1], 9)
    chance = sum(abs(gap(sum(x < s for x in hat.sample(range(n), a[1])))) >= abs(gap(a[0])) for _ in range(2000)) / 2000
    return "cannot tell" if chance > 0.05 else ("worse", "better")[gap(a[0]) > 0]
