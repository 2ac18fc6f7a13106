"""A lift that keeps its direction while there are calls ahead of it."""

UP, DOWN, IDLE = 1, -1, 0


class Lift:
    def __init__(self, floors, start=0):
        self.floors = floors
        self.floor = start
        self.direction = IDLE
        self.calls = set()
        self.travelled = 0

    def call(self, floor):
        if not 0 <= floor < self.floors:
            raise ValueError(f"no floor {floor}")
        self.calls.add(floor)

    def _calls_ahead(self, direction):
        return any((floor - self.floor) * direction > 0 for floor in self.calls)

    def _choose_direction(self):
        if not self.calls:
            return IDLE
        if self.direction != IDLE and self._calls_ahead(self.direction):
            return self.direction
        nearest = min(self.calls, key=lambda floor: (abs(floor - self.floor), floor))
        return UP if nearest > self.floor else DOWN

    def step(self):
        """Open the doors here if called, else move one floor. Returns what happened."""
        if self.floor in self.calls:
            self.calls.remove(self.floor)
            return f"open {self.floor}"
        self.direction = self._choose_direction()
        if self.direction == IDLE:
            return "wait"
        self.floor += self.direction
        self.travelled += 1
        return "up" if self.direction == UP else "down"

    def run(self, limit=200):
        """Serve all calls; returns the floors in the order of opening."""
        opened = []
        for _ in range(limit):
            event = self.step()
            if event == "wait":
                break
            if event.startswith("open"):
                opened.append(self.floor)
        return opened


class Bank:
    """Several lifts; the nearest one that can take a call on its way takes it."""

    def __init__(self, lifts):
        self.lifts = lifts

    def cost(self, lift, floor):
        distance = abs(lift.floor - floor)
        if lift.direction != IDLE and (floor - lift.floor) * lift.direction > 0:
            distance += 2 * min((abs(f - lift.floor) for f in lift.calls), default=0)
        return distance

    def call(self, floor):
        lift = min(self.lifts, key=lambda lift: self.cost(lift, floor))
        lift.call(floor)
        return lift
