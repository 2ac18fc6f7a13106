"""Fish in a pond, year by year: they grow older, some die, some are caught, young ones hatch."""


class Species:
    def __init__(self, name, survival, hatchlings, grown_at):
        """survival: of a hundred fish so many live on; hatchlings: of ten grown fish; grown_at: age in years"""
        self.name = name
        self.survival = survival
        self.hatchlings = hatchlings
        self.grown_at = grown_at


class Stock:
    """The fish of one species, counted by age."""

    def __init__(self, species, ages):
        self.species = species
        self.ages = list(ages)

    @property
    def total(self):
        return sum(self.ages)

    @property
    def grown(self):
        return sum(self.ages[self.species.grown_at :])

    def catch(self, number):
        """Take grown fish out, the oldest first; returns how many there were to take."""
        caught = 0
        for age in range(len(self.ages) - 1, self.species.grown_at - 1, -1):
            taken = min(self.ages[age], number - caught)
            self.ages[age] -= taken
            caught += taken
        return caught

    def grow_older(self):
        hatched = self.grown * self.species.hatchlings // 10
        survivors = [number * self.species.survival // 100 for number in self.ages]
        self.ages = [hatched, *survivors]
        while self.ages and self.ages[-1] == 0:
            self.ages.pop()


class Pond:
    def __init__(self, capacity, stocks, quota=0):
        self.capacity = capacity
        self.stocks = {stock.species.name: stock for stock in stocks}
        self.quota = quota
        self.totals = []
        self.caught = 0

    @property
    def total(self):
        return sum(stock.total for stock in self.stocks.values())

    def crowd_out(self):
        """When there are too many fish the youngest go first, of every species its share."""
        total = self.total
        for stock in self.stocks.values():
            excess = -(-stock.total * (total - self.capacity) // total)
            for age, number in enumerate(stock.ages):
                lost = min(number, excess)
                stock.ages[age] -= lost
                excess -= lost

    def year(self):
        for stock in self.stocks.values():
            self.caught += stock.catch(self.quota)
            stock.grow_older()
        if self.total > self.capacity:
            self.crowd_out()
            self.totals.append(self.total)

    def run(self, years):
        for _ in range(years):
            self.year()
        return self.totals

    def dying_out(self):
        """Names of species that have no grown fish left."""
        return sorted(name for name, stock in self.stocks.items() if stock.grown == 0)

    def trend(self):
        """'up', 'down' or 'steady' over the last two years."""
        if len(self.totals) < 2 or self.totals[-1] == self.totals[-2]:
            return "steady"
        return "up" if self.totals[-1] > self.totals[-2] else "down"
