"""Who plays whom in which round: everybody meets once, first half of a season."""

REST = None


def rounds(names):
    """Rounds of (home, away) pairs; with an odd number of teams one rests in each round."""
    circle = list(names)
    if len(circle) % 2:
        circle.append(REST)
    half = len(circle) // 2
    plan = []
    for number in range(len(circle) - 1):
        left, right = circle[:half], circle[half:]
        pairs = list(zip(left, sorted(right)))
        if number % 2:
            pairs = [(b, a) for a, b in pairs]
        plan.append([pair for pair in pairs if REST not in pair])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return plan


def season(names):
    first = rounds(names)
    second = [[(away, home) for home, away in pairs] for pairs in first]
    return first + second
