import unittest

from receipt import Receipt


class HiddenTest(unittest.TestCase):
    def test_coupon_and_default_tax(self):
        receipt = Receipt("A")
        receipt.add("Lamp", 5000)
        receipt.apply_coupon(1500)
        self.assertEqual(receipt.taxable(), 3500)
        self.assertEqual(receipt.tax(), 700)
        self.assertEqual(receipt.total(), 4200)

    def test_coupon_for_everything_is_free(self):
        receipt = Receipt("A")
        receipt.add("Pen", 99, 3)
        receipt.apply_coupon(297)
        self.assertEqual(receipt.total(), 0)

    def test_rendered_total(self):
        receipt = Receipt("A", tax_percent=0)
        receipt.add("Pen", 200)
        receipt.apply_coupon(25)
        self.assertTrue(receipt.render().endswith("1.75"))
        self.assertIn("-0.25", receipt.render())
