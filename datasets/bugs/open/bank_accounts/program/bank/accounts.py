"""Accounts in whole cents, with a history of what happened."""


class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, overdraft=0):
        self.owner = owner
        self.balance = 0
        self.overdraft = overdraft
        self.history = []

    def deposit(self, cents, note="deposit"):
        if cents <= 0:
            raise ValueError("a deposit is positive")
        self.balance += cents
        self.history.append((note, cents))

    def withdraw(self, cents, note="withdrawal"):
        if cents <= 0:
            raise ValueError("a withdrawal is positive")
        if cents > self.available():
            raise InsufficientFunds(self.owner)
        self.balance -= cents
        self.history.append((note, -cents))

    def available(self):
        return self.balance + self.overdraft

    def statement(self):
        total = 0
        rows = []
        for note, cents in self.history:
            total += cents
            rows.append((note, cents, total))
        return rows


class SavingsAccount(Account):
    def __init__(self, owner, rate_percent):
        super().__init__(owner)
        self.rate_percent = rate_percent

    def pay_interest(self):
        interest = self.balance * self.rate_percent // 100
        if interest > 0:
            self.deposit(interest, "interest")
        return interest
