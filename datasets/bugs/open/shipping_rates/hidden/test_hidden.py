import unittest

from shipping import BANDS, TooHeavy, band_price, cheapest_split


class HiddenTest(unittest.TestCase):
    def test_every_limit_belongs_to_its_band(self):
        for limit, price in BANDS:
            self.assertEqual(band_price(limit), price)

    def test_above_a_limit_is_the_next_band(self):
        for (limit, _), (_, price) in zip(BANDS, BANDS[1:]):
            self.assertEqual(band_price(limit + 1), price)

    def test_heaviest_pair(self):
        self.assertEqual(cheapest_split(20000), [10000, 10000])
        with self.assertRaises(TooHeavy):
            cheapest_split(20001)
