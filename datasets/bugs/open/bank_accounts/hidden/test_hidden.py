import unittest

from bank import Account, Bank, InsufficientFunds


class HiddenTest(unittest.TestCase):
    def make(self, fee, overdraft=0):
        bank = Bank(fee)
        bank.open(Account("a", overdraft)).deposit(100)
        bank.open(Account("b"))
        return bank

    def test_exact_amounts(self):
        for fee in (0, 1, 30, 99):
            bank = self.make(fee)
            bank.transfer("a", "b", 100 - fee)
            self.assertEqual(bank.accounts["a"].balance, 0)

    def test_one_cent_too_much_moves_nothing(self):
        for fee in (0, 1, 30, 99):
            bank = self.make(fee)
            with self.assertRaises(InsufficientFunds):
                bank.transfer("a", "b", 101 - fee)
            self.assertEqual(bank.accounts["a"].balance, 100)
            self.assertEqual(bank.earned, 0)

    def test_overdraft_may_be_sent(self):
        bank = self.make(5, overdraft=20)
        bank.transfer("a", "b", 115)
        self.assertEqual(bank.accounts["a"].balance, -20)

    def test_money_is_kept(self):
        bank = self.make(7)
        bank.transfer("a", "b", 50)
        self.assertEqual(bank.total() + bank.earned, 100)
