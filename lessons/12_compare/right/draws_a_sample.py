import random


def compare(a, b):
    if not a[1] or not b[1]:
        return "cannot tell"
    dice = random.Random(42)
    slips = [True] * (a[0] + b[0]) + [False] * (a[1] + b[1] - a[0] - b[0])
    # In whole numbers, so that nothing is rounded: the shares times both sizes.
    seen, rare = b[0] * a[1] - a[0] * b[1], 0
    for _ in range(4000):
        first = sum(dice.sample(slips, a[1]))
        second = a[0] + b[0] - first
        rare += abs(second * a[1] - first * b[1]) >= abs(seen)
    if rare > 200:
        return "cannot tell"
    return "better" if seen > 0 else "worse"
