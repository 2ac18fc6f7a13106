import unittest

from vending import Machine, VendingError


class HiddenTest(unittest.TestCase):
    def setUp(self):
        self.machine = Machine()
        self.machine.stock("A", "tea", 60, 3)
        self.machine.fill_till(c10=20, c20=10)

    def test_stock_goes_down_by_one(self):
        for left in (2, 1, 0):
            self.machine.insert(100)
            self.machine.choose("A")
            self.assertEqual(self.machine.slots["A"]["count"], left)
        self.machine.insert(100)
        with self.assertRaises(VendingError):
            self.machine.choose("A")

    def test_every_sale_earns_the_price(self):
        for coin in (100, 200):
            before = self.machine.worth()
            self.machine.insert(coin)
            self.machine.choose("A")
            self.assertEqual(self.machine.worth() - before, 60)

    def test_failed_sale_keeps_stock_and_credit(self):
        self.machine.insert(50)
        with self.assertRaises(VendingError):
            self.machine.choose("A")
        self.assertEqual(self.machine.slots["A"]["count"], 3)
        self.assertEqual(self.machine.cancel(), [50])
