"""A loan that is paid back in equal monthly payments, in whole cents."""


class LoanError(ValueError):
    pass


class Row:
    def __init__(self, month, payment, interest, balance):
        self.month = month
        self.payment = payment
        self.interest = interest
        self.balance = balance

    @property
    def principal(self):
        return self.payment - self.interest

    def as_tuple(self):
        return self.month, self.payment, self.interest, self.balance


class Loan:
    def __init__(self, amount, yearly_percent, payment):
        """amount and payment in cents"""
        if amount <= 0 or payment <= 0:
            raise LoanError("amount and payment are positive")
        self.amount = amount
        self.yearly_percent = yearly_percent
        self.payment = payment
        self.extra = {}

    def pay_extra(self, month, cents):
        """An extra payment right after the regular one of a month."""
        self.extra[month] = self.extra.get(month, 0) + cents

    def interest(self, balance):
        """Interest of one month, rounded half up."""
        return int(balance * self.yearly_percent / 1200 + 0.5)

    def plan(self):
        """One row a month until nothing is owed."""
        balance = self.amount
        rows = []
        while balance > 0:
            interest = self.interest(balance)
            if self.payment <= interest:
                raise LoanError("the payment does not even cover the interest")
            payment = min(self.payment, balance - interest)
            balance -= payment - interest
            month = len(rows) + 1
            extra = min(self.extra.get(month, 0), balance)
            balance -= extra
            rows.append(Row(month, payment + extra, interest, balance))
        return rows

    def months(self):
        return len(self.plan())

    def total_interest(self):
        return sum(row.interest for row in self.plan())

    def balance_after(self, month):
        rows = self.plan()
        if month == 0:
            return self.amount
        return rows[month - 1].balance if month <= len(rows) else 0


def saved_by_extra(loan, month, cents):
    """(months, cents of interest) saved by one extra payment."""
    other = Loan(loan.amount, loan.yearly_percent, loan.payment)
    other.extra = dict(loan.extra)
    other.pay_extra(month, cents)
    return loan.months() - other.months(), loan.total_interest() - other.total_interest()
