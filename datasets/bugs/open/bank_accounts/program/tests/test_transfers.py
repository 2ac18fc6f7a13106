import unittest

from bank import Account, Bank, InsufficientFunds


class TransferTest(unittest.TestCase):
    def setUp(self):
        self.bank = Bank(fee=10)
        self.ann = self.bank.open(Account("ann"))
        self.bob = self.bank.open(Account("bob"))
        self.ann.deposit(1000)

    def test_transfer_takes_the_fee(self):
        self.bank.transfer("ann", "bob", 300)
        self.assertEqual((self.ann.balance, self.bob.balance), (690, 300))
        self.assertEqual(self.bank.earned, 10)

    def test_everything_with_the_fee(self):
        self.bank.transfer("ann", "bob", 990)
        self.assertEqual(self.ann.balance, 0)

    def test_nothing_moves_when_the_fee_cannot_be_paid(self):
        with self.assertRaises(InsufficientFunds):
            self.bank.transfer("ann", "bob", 995)
        self.assertEqual((self.ann.balance, self.bob.balance), (1000, 0))

    def test_to_oneself(self):
        with self.assertRaises(ValueError):
            self.bank.transfer("ann", "ann", 5)

    def test_one_account_each(self):
        with self.assertRaises(ValueError):
            self.bank.open(Account("bob"))
