"""What lies on a shelf, by price: what came first goes out first."""

from collections import deque


class OutOfStock(Exception):
    pass


class Layers:
    def __init__(self):
        self.layers = deque()

    @property
    def quantity(self):
        return sum(quantity for quantity, _ in self.layers)

    @property
    def value(self):
        return sum(quantity * cents for quantity, cents in self.layers)

    def receive(self, quantity, cents):
        if quantity <= 0:
            raise ValueError("a delivery brings something")
        self.layers.append((quantity, cents))

    def issue(self, quantity):
        """Take so many out; returns what they had cost."""
        if quantity > self.quantity:
            raise OutOfStock(f"{quantity} wanted, {self.quantity} there")
        cost = 0
        while quantity > 0:
            there, cents = self.layers.popleft()
            taken = min(there, quantity)
            if taken < there:
                self.layers.appendleft((there - taken, cents))
            cost += taken * cents
            quantity -= taken
        return cost

    def return_first(self, quantity, cents):
        """Put something back in front, so that it is the next to go."""
        self.layers.appendleft((quantity, cents))
