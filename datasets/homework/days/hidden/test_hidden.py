import unittest

from days import days_in_month, is_leap


class HiddenTest(unittest.TestCase):
    def test_leap(self):
        wanted = {year for year in range(1590, 2420) if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)}
        self.assertEqual({year for year in range(1590, 2420) if is_leap(year)}, wanted)

    def test_days(self):
        for year, total in ((2021, 365), (2100, 365), (2400, 366), (2028, 366)):
            self.assertEqual(sum(days_in_month(year, month) for month in range(1, 13)), total)

    def test_bad_months(self):
        for month in (-1, 0, 13, 100):
            with self.assertRaises(ValueError):
                days_in_month(2001, month)
