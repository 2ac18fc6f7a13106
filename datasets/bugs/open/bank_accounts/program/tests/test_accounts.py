import unittest

from bank import Account, InsufficientFunds, SavingsAccount


class AccountTest(unittest.TestCase):
    def test_deposit_and_withdraw(self):
        account = Account("eve")
        account.deposit(500)
        account.withdraw(200)
        self.assertEqual(account.balance, 300)

    def test_no_more_than_there_is(self):
        account = Account("eve")
        account.deposit(100)
        with self.assertRaises(InsufficientFunds):
            account.withdraw(101)

    def test_overdraft(self):
        account = Account("eve", overdraft=50)
        account.withdraw(50)
        self.assertEqual(account.balance, -50)

    def test_statement(self):
        account = Account("eve")
        account.deposit(300)
        account.withdraw(100, "rent")
        self.assertEqual(account.statement(), [("deposit", 300, 300), ("rent", -100, 200)])

    def test_interest(self):
        account = SavingsAccount("eve", 3)
        account.deposit(1000)
        self.assertEqual(account.pay_interest(), 30)
        self.assertEqual(account.balance, 1030)
