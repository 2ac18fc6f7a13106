"""Sealed-bid auctions: the highest bidder pays the second highest price."""

from dataclasses import dataclass, field


@dataclass
class Lot:
    name: str
    reserve: int = 0
    bids: dict = field(default_factory=dict)

    def bid(self, bidder, amount):
        if amount <= 0:
            raise ValueError("a bid is a positive amount")
        self.bids[bidder] = max(amount, self.bids.get(bidder, 0))

    def result(self):
        """(winner, price) or None when the reserve is not reached.

        Of two equal bids the earlier one wins.
        """
        winner = None
        best = 0
        second = 0
        for bidder, amount in self.bids.items():
            if amount < self.reserve:
                continue
            if amount > best:
                if winner is not None:
                    second = best
                winner, best = bidder, amount
            elif amount > second:
                second = amount
        if winner is None:
            return None
        return winner, second


class Auction:
    def __init__(self):
        self.lots = {}

    def offer(self, name, reserve=0):
        if name in self.lots:
            raise ValueError(f"{name} is offered already")
        self.lots[name] = Lot(name, reserve)
        return self.lots[name]

    def close(self):
        """What each winner pays in all, and the lots that were not sold."""
        bills = {}
        unsold = []
        for lot in self.lots.values():
            result = lot.result()
            if result is None:
                unsold.append(lot.name)
                continue
            winner, price = result
            bills[winner] = bills.get(winner, 0) + price
        return bills, unsold
