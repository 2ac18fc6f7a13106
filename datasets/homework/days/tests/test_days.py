import unittest

from days import days_in_month, is_leap


class DaysTest(unittest.TestCase):
    def test_leap_by_four(self):
        self.assertTrue(is_leap(2024))
        self.assertTrue(is_leap(1996))
        self.assertTrue(is_leap(2012))

    def test_not_leap(self):
        self.assertFalse(is_leap(2023))

    def test_century(self):
        self.assertFalse(is_leap(1900))
        self.assertFalse(is_leap(2100))

    def test_four_centuries(self):
        self.assertTrue(is_leap(2000))

    def test_long_months(self):
        for month in (1, 3, 5, 7, 8, 10, 12):
            self.assertEqual(days_in_month(2023, month), 31)

    def test_short_months(self):
        for month in (4, 6, 9, 11):
            self.assertEqual(days_in_month(2023, month), 30)

    def test_february(self):
        self.assertEqual(days_in_month(2023, 2), 28)

    def test_february_of_a_leap_year(self):
        self.assertEqual(days_in_month(2024, 2), 29)

    def test_february_of_a_century(self):
        self.assertEqual(days_in_month(1900, 2), 28)

    def test_no_such_month(self):
        with self.assertRaises(ValueError):
            days_in_month(2023, 13)

    def test_month_zero(self):
        with self.assertRaises(ValueError):
            days_in_month(2023, 0)
