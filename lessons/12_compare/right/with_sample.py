import random


def compare(a, b):
    (solved_a, n_a), (solved_b, n_b) = a, b
    if n_a == 0 or n_b == 0:
        return "cannot tell"
    slips = [True] * (solved_a + solved_b) + [False] * (n_a + n_b - solved_a - solved_b)
    generator = random.Random(0)
    seen = abs(solved_b / n_b - solved_a / n_a)
    as_far = 0
    for _ in range(2000):
        drawn = sum(generator.sample(slips, n_a))
        other = solved_a + solved_b - drawn
        if abs(other / n_b - drawn / n_a) >= seen - 1e-9:
            as_far += 1
    if as_far / 2000 > 0.05:
        return "cannot tell"
    return "better" if solved_b / n_b > solved_a / n_a else "worse"
