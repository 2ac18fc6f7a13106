"""A leg of darts: from 301 or 501 down to exactly zero, ending on a double."""


class Player:
    def __init__(self, name, start):
        self.name = name
        self.left = start
        self.visits = []


def dart_value(dart):
    """'T20' is 60, 'D5' is 10, '7' is 7, 'B' is 25, 'DB' is 50, '-' is a miss."""
    if dart == "-":
        return 0
    factor = 1
    if dart[0] in "DT" and len(dart) > 1:
        factor = 2 if dart[0] == "D" else 3
        dart = dart[1:]
    base = 25 if dart == "B" else int(dart)
    if not (1 <= base <= 20 or base == 25):
        raise ValueError(dart)
    return base * factor


class Leg:
    def __init__(self, names, start=501):
        self.players = [Player(name, start) for name in names]
        self.turn = 0
        self.winner = None

    @property
    def current(self):
        return self.players[self.turn % len(self.players)]

    def throw(self, darts):
        """Play one visit of up to three darts; return the points that counted."""
        if self.winner:
            raise RuntimeError("the leg is over")
        if len(darts) > 3:
            raise ValueError("three darts at most")
        player = self.current
        scored = self.visit_score(player, darts)
        player.left -= scored
        player.visits.append(scored)
        if player.left == 0:
            self.winner = player.name
        self.turn += 1
        return scored

    def visit_score(self, player, darts):
        left = player.left
        for dart in darts:
            left -= dart_value(dart)
            if left == 0 and dart.startswith("D"):
                return player.left
            if left <= 1:
                return 0
            return player.left - left

    def average(self, name):
        for player in self.players:
            if player.name == name:
                return sum(player.visits) / len(player.visits) if player.visits else 0.0
        raise KeyError(name)
