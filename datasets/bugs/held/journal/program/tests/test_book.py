import unittest
from datetime import date

from journal import Book, Period

SOURCE = """
2024-01-31 Salary
    bank            2000
    income
2024-02-01 Rent
    home:rent        800
    bank
2024-02-10 Market #weekly
    food:fruit     12.50
    food:bread      4.00
    cash
2024-02-29 Machine
    cash             100
    bank
2024-03-01 Rent
    home:rent        800
    bank
2024-03-09 Market #weekly
    food:fruit      8.00
    cash
"""


class BookTest(unittest.TestCase):
    def setUp(self):
        self.book = Book.read(SOURCE)

    def test_balance(self):
        self.assertEqual(str(self.book.balance("food")), "24.50 EUR")
        self.assertEqual(str(self.book.balance("cash")), "75.50 EUR")

    def test_tagged(self):
        self.assertEqual(str(self.book.tagged("weekly").balance("cash")), "-24.50 EUR")

    def test_register(self):
        self.assertEqual(
            self.book.register("cash")[1],
            (date(2024, 2, 29), "Machine", "100.00 EUR", "83.50 EUR"),
        )

    def test_report(self):
        report = self.book.report()
        self.assertEqual(report.splitlines()[0], "bank    300.00 EUR")
        self.assertEqual(len(report.splitlines()), 5)

    def test_one_month(self):
        february = self.book.within(Period.parse("2024-02"))
        self.assertEqual(len(february.entries), 3)
        self.assertEqual(str(february.balance("home")), "800.00 EUR")

    def test_by_month(self):
        rows = self.book.by_month("home", Period.parse("2024-01-15..2024-04-01"))
        self.assertEqual([(month, str(purse)) for month, purse in rows],
                         [("2024-02", "800.00 EUR"), ("2024-03", "800.00 EUR")])

    def test_days_of_a_period(self):
        period = Period.parse("2024-02-10..2024-02-29")
        self.assertNotIn(date(2024, 2, 29), period)
        self.assertIn(date(2024, 2, 28), period)

    def test_backwards(self):
        with self.assertRaises(ValueError):
            Period.parse("2024-03-01..2024-02-01")
