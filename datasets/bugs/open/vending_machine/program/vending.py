"""A vending machine: slots with stock, coins in, goods and change out. Amounts are cents."""

COINS = (200, 100, 50, 20, 10)


class VendingError(Exception):
    pass


class Machine:
    def __init__(self):
        self.slots = {}
        self.till = dict.fromkeys(COINS, 0)
        self.inserted = []

    def stock(self, slot, name, price, count):
        self.slots[slot] = {"name": name, "price": price, "count": count}

    def fill_till(self, **coins):
        for name, count in coins.items():
            self.till[int(name.lstrip("c"))] += count

    @property
    def credit(self):
        return sum(self.inserted)

    def insert(self, coin):
        if coin not in COINS:
            raise VendingError(f"coin of {coin} is not taken")
        self.inserted.append(coin)
        self.till[coin] += 1
        return self.credit

    def cancel(self):
        coins = self.inserted
        for coin in coins:
            self.till[coin] -= 1
        self.inserted = []
        return coins

    def change_for(self, amount):
        """Coins for an amount, largest first, from what is in the till; None if it cannot be paid."""
        coins = []
        for coin in COINS:
            available = self.till[coin]
            while amount >= coin and available:
                coins.append(coin)
                amount -= coin
                available -= 1
        return coins if amount == 0 else None

    def choose(self, slot):
        """Sell one piece; returns (name, change)."""
        if slot not in self.slots:
            raise VendingError(f"no slot {slot}")
        product = self.slots[slot]
        if product["count"] == 0:
            raise VendingError("sold out")
        if self.credit < product["price"]:
            raise VendingError(f"{product['price'] - self.credit} missing")
        change = self.change_for(self.credit - product["price"])
        if change is None:
            raise VendingError("no change")
        for coin in change:
            self.till[coin] -= 1
        self.inserted = []
        return product["name"], change

    def worth(self):
        return sum(coin * count for coin, count in self.till.items())
