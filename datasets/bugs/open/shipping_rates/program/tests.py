import unittest

from shipping import TooHeavy, band_price, cheapest_split, order_shipping, parcel_price


class BandPriceTest(unittest.TestCase):
    def test_inside_a_band(self):
        self.assertEqual(band_price(120), 390)
        self.assertEqual(band_price(3300), 890)

    def test_limit_belongs_to_the_lower_band(self):
        self.assertEqual(band_price(500), 390)
        self.assertEqual(band_price(501), 590)

    def test_too_heavy(self):
        with self.assertRaises(TooHeavy):
            band_price(10001)

    def test_weightless(self):
        with self.assertRaises(ValueError):
            band_price(0)


class OrderTest(unittest.TestCase):
    def test_zone_factor(self):
        self.assertEqual(parcel_price(1500, "neighbour"), 885)

    def test_free_at_home(self):
        self.assertEqual(order_shipping([900], 8000), 0)

    def test_never_free_abroad(self):
        self.assertEqual(order_shipping([400, 400], 8000, "far"), 2028)

    def test_paid_below_the_threshold(self):
        self.assertEqual(order_shipping([400], 7499), 390)

    def test_split_only_when_needed(self):
        self.assertEqual(cheapest_split(800), [800])
        self.assertEqual(cheapest_split(12001), [6001, 6000])


if __name__ == "__main__":
    unittest.main()
