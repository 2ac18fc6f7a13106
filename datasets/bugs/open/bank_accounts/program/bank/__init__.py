from .accounts import Account, InsufficientFunds, SavingsAccount
from .transfers import Bank

__all__ = ["Account", "Bank", "InsufficientFunds", "SavingsAccount"]
