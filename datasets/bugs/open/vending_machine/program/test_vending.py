import unittest

from vending import Machine, VendingError


class MachineTest(unittest.TestCase):
    def setUp(self):
        self.machine = Machine()
        self.machine.stock("A1", "crisps", 130, 1)
        self.machine.stock("B2", "water", 100, 5)
        self.machine.fill_till(c50=2, c20=5)

    def test_credit(self):
        self.machine.insert(50)
        self.assertEqual(self.machine.insert(20), 70)

    def test_foreign_coin(self):
        with self.assertRaises(VendingError):
            self.machine.insert(25)

    def test_sale_with_change(self):
        self.machine.insert(200)
        self.assertEqual(self.machine.choose("A1"), ("crisps", [50, 20]))

    def test_credit_is_used_up(self):
        self.machine.insert(100)
        self.machine.choose("B2")
        self.assertEqual(self.machine.credit, 0)

    def test_sold_out(self):
        for _ in range(2):
            self.machine.insert(100)
            self.machine.insert(50)
            if self.machine.slots["A1"]["count"]:
                self.machine.choose("A1")
        with self.assertRaisesRegex(VendingError, "sold out"):
            self.machine.choose("A1")

    def test_missing_money(self):
        self.machine.insert(50)
        with self.assertRaisesRegex(VendingError, "50 missing"):
            self.machine.choose("B2")

    def test_cancel_returns_the_coins(self):
        self.machine.insert(200)
        self.machine.insert(10)
        self.assertEqual(self.machine.cancel(), [200, 10])
        self.assertEqual(self.machine.worth(), 200)

    def test_no_change(self):
        machine = Machine()
        machine.stock("C", "gum", 40, 1)
        machine.insert(50)
        with self.assertRaisesRegex(VendingError, "no change"):
            machine.choose("C")

    def test_worth_grows_by_the_price(self):
        self.machine.insert(200)
        self.machine.choose("B2")
        self.assertEqual(self.machine.worth(), 300)


if __name__ == "__main__":
    unittest.main()
