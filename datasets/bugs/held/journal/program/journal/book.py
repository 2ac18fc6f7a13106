"""Questions to a journal: balances, what happened on an account, months side by side."""

from .money import Purse
from .parser import parse


class Book:
    def __init__(self, entries):
        self.entries = entries

    @classmethod
    def read(cls, source):
        return cls(parse(source))

    def within(self, period):
        return Book([entry for entry in self.entries if entry.day in period])

    def tagged(self, tag):
        return Book([entry for entry in self.entries if tag in entry.tags])

    def postings(self, account=""):
        for entry in self.entries:
            for posting in entry.postings:
                if not account or posting.belongs_to(account):
                    yield entry, posting

    def balance(self, account):
        total = Purse()
        for _, posting in self.postings(account):
            total.add(posting.value, posting.currency)
        return total

    def balances(self, depth=None):
        """Purse by account, down to a depth; what came to nothing is left out."""
        found = {}
        for _, posting in self.postings():
            name = ":".join(posting.account.split(":")[:depth])
            found.setdefault(name, Purse()).add(posting.value, posting.currency)
        return {name: found[name] for name in sorted(found) if found[name]}

    def register(self, account):
        """(day, text, amount, balance after it) of every posting of an account."""
        running = Purse()
        rows = []
        for entry, posting in self.postings(account):
            running.add(posting.value, posting.currency)
            amount = Purse({posting.currency: posting.value})
            rows.append((entry.day, entry.text, str(amount), str(running)))
        return rows

    def by_month(self, account, period):
        """('2024-03', purse) for every month of a period."""
        return [(f"{month.start:%Y-%m}", self.within(month).balance(account)) for month in period.months()]

    def report(self, depth=1):
        rows = self.balances(depth)
        width = max((len(name) for name in rows), default=0)
        lines = [f"{name:{width}}  {purse}" for name, purse in rows.items()]
        return "\n".join(lines)
