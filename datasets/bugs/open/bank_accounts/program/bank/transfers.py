"""Move money between accounts: either both sides happen or neither."""

from .accounts import InsufficientFunds


class Bank:
    def __init__(self, fee=0):
        self.fee = fee
        self.accounts = {}
        self.earned = 0

    def open(self, account):
        if account.owner in self.accounts:
            raise ValueError(f"{account.owner} has an account")
        self.accounts[account.owner] = account
        return account

    def transfer(self, sender, receiver, cents):
        """Send money; the sender pays the fee on top."""
        source, target = self.accounts[sender], self.accounts[receiver]
        if source is target:
            raise ValueError("sender and receiver are the same")
        if cents - self.fee >= source.available():
            raise InsufficientFunds(sender)
        source.withdraw(cents, f"to {receiver}")
        if self.fee:
            source.withdraw(self.fee, "fee")
            self.earned += self.fee
        target.deposit(cents, f"from {sender}")

    def total(self):
        return sum(account.balance for account in self.accounts.values())
