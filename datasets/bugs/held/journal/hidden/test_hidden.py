import unittest
from datetime import date, timedelta

from journal import Book, Period


class HiddenTest(unittest.TestCase):
    def test_the_first_day_and_the_last(self):
        for text in ("2023", "2024-12", "2024-02", "2024-05-05..2024-05-09"):
            period = Period.parse(text)
            day = timedelta(days=1)
            self.assertIn(period.start, period)
            self.assertNotIn(period.start - day, period)
            self.assertIn(period.end - day, period)
            self.assertNotIn(period.end, period)

    def test_an_empty_period(self):
        self.assertNotIn(date(2024, 1, 1), Period(date(2024, 1, 1), date(2024, 1, 1)))

    def test_every_day_is_in_one_month(self):
        months = Period.parse("2024").months()
        day = date(2024, 1, 1)
        while day.year == 2024:
            self.assertEqual(sum(day in month for month in months), 1)
            day += timedelta(days=1)

    def test_months_add_up_to_the_year(self):
        book = Book.read("2024-01-01 a\n  x  1\n  y\n2024-06-01 b\n  x  2\n  y\n2024-12-31 c\n  x  4\n  y\n")
        rows = book.by_month("x", Period.parse("2024"))
        self.assertEqual([str(rows[i][1]) for i in (0, 5, 11)], ["1.00 EUR", "2.00 EUR", "4.00 EUR"])
        self.assertEqual(str(book.within(Period.parse("2024")).balance("x")), "7.00 EUR")
