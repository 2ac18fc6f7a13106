"""Orders reserve what lies in the stock room, and take it when they are sent."""

from .layers import Layers, OutOfStock


class StockRoom:
    def __init__(self):
        self.shelves = {}
        self.reserved = {}
        self.orders = {}
        self.cost_of_sales = 0

    def receive(self, article, quantity, cents):
        self.shelves.setdefault(article, Layers()).receive(quantity, cents)

    def on_hand(self, article):
        shelf = self.shelves.get(article)
        return shelf.quantity if shelf else 0

    def available(self, article):
        """What is not promised to anybody."""
        return self.on_hand(article) - self.reserved.get(article, 0)

    def order(self, number, lines):
        """lines: quantity by article; all of it is reserved or nothing is."""
        if number in self.orders:
            raise ValueError(f"order {number} is there already")
        short = sorted(article for article, quantity in lines.items() if quantity > self.available(article))
        if short:
            raise OutOfStock(", ".join(short))
        for article, quantity in lines.items():
            self.reserved[article] = self.reserved.get(article, 0) + quantity
        self.orders[number] = dict(lines)

    def cancel(self, number):
        for article, quantity in self.orders.pop(number).items():
            self.reserved[article] -= quantity

    def send(self, number):
        """Take the goods of an order from the shelves; returns what they had cost."""
        cost = 0
        for article, quantity in self.orders.pop(number).items():
            cost += self.shelves[article].issue(quantity)
        self.cost_of_sales += cost
        return cost

    def write_off(self, article, quantity):
        """Broken or lost; what is reserved cannot be written off."""
        if quantity > self.available(article):
            raise OutOfStock(article)
        return self.shelves[article].issue(quantity)

    def value(self):
        return sum(shelf.value for shelf in self.shelves.values())

    def to_reorder(self, minimum):
        return sorted(article for article in self.shelves if self.available(article) < minimum)
