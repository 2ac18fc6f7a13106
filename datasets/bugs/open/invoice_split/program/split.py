"""Share the costs of a trip: who paid, who took part, and who owes whom in the end. Amounts are cents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Expense:
    payer: str
    amount: int
    people: tuple


def shares(amount, people):
    """Split without losing a cent; the first people carry the remainder."""
    base, rest = divmod(amount, len(people))
    return {person: base + (1 if index < rest else 0) for index, person in enumerate(people)}


class Trip:
    def __init__(self, *people):
        if len(set(people)) != len(people):
            raise ValueError("every person once")
        self.people = people
        self.expenses = []

    def spend(self, payer, amount, people=None):
        people = tuple(people or self.people)
        for person in (payer, *people):
            if person not in self.people:
                raise KeyError(person)
        self.expenses.append(Expense(payer, amount, people))

    def balances(self):
        """Positive: gets money back; negative: owes."""
        balance = dict.fromkeys(self.people, 0)
        for expense in self.expenses:
            balance[expense.payer] += expense.amount
            for person, share in shares(expense.amount, self.people).items():
                balance[person] -= share
        return balance

    def settle(self):
        """(debtor, creditor, amount) payments that bring every balance to zero."""
        balance = self.balances()
        payments = []
        while any(balance.values()):
            debtor = min(self.people, key=lambda p: balance[p])
            creditor = max(self.people, key=lambda p: balance[p])
            amount = min(-balance[debtor], balance[creditor])
            balance[debtor] += amount
            balance[creditor] -= amount
            payments.append((debtor, creditor, amount))
        return payments

    def summary(self):
        lines = [f"{len(self.expenses)} expenses, {sum(e.amount for e in self.expenses) / 100:.2f} in all"]
        for debtor, creditor, amount in self.settle():
            lines.append(f"{debtor} pays {creditor} {amount / 100:.2f}")
        return "\n".join(lines)
