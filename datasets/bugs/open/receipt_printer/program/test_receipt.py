import unittest

from receipt import WIDTH, Receipt, money


class ReceiptTest(unittest.TestCase):
    def setUp(self):
        self.receipt = Receipt("Corner Shop", tax_percent=10)
        self.receipt.add("Bread", 250)
        self.receipt.add("Apple", 40, 5)

    def test_subtotal(self):
        self.assertEqual(self.receipt.subtotal(), 450)

    def test_total_without_coupon(self):
        self.assertEqual(self.receipt.total(), 495)

    def test_coupon_lowers_the_total(self):
        self.receipt.apply_coupon(100)
        self.assertEqual(self.receipt.total(), 385)

    def test_coupon_is_never_worth_more_than_the_goods(self):
        self.receipt.apply_coupon(1000)
        self.assertEqual(self.receipt.coupon, 450)

    def test_every_row_fits_the_paper(self):
        self.receipt.apply_coupon(50)
        for line in self.receipt.render().splitlines():
            self.assertLessEqual(len(line), WIDTH)

    def test_money(self):
        self.assertEqual(money(1205), "12.05")
        self.assertEqual(money(-30), "-0.30")

    def test_quantity_must_be_positive(self):
        with self.assertRaises(ValueError):
            self.receipt.add("Nothing", 10, 0)


if __name__ == "__main__":
    unittest.main()
