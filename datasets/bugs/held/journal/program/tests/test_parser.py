import unittest

from journal import JournalError, parse
from journal.money import Purse, parse_amount, show_amount


class MoneyTest(unittest.TestCase):
    def test_amounts(self):
        self.assertEqual(parse_amount("12.50"), (1250, "EUR"))
        self.assertEqual(parse_amount("-3 CHF"), (-300, "CHF"))
        self.assertEqual(show_amount(-5, "EUR"), "-0.05 EUR")

    def test_a_purse_forgets_zero(self):
        purse = Purse({"EUR": 100})
        purse.add(-100, "EUR")
        self.assertEqual(str(purse), "0")


class ParserTest(unittest.TestCase):
    def test_left_out_amount(self):
        (entry,) = parse("2024-03-01 Market #weekly\n  food:fruit  12.50\n  cash\n")
        self.assertEqual([(p.account, p.value) for p in entry.postings], [("food:fruit", 1250), ("cash", -1250)])
        self.assertEqual((entry.text, entry.tags), ("Market", {"weekly"}))

    def test_unbalanced(self):
        with self.assertRaises(JournalError) as caught:
            parse("; my journal\n2024-03-01 Market\n  food  12.50\n  cash  -12.00\n")
        self.assertEqual(caught.exception.number, 2)

    def test_no_such_day(self):
        with self.assertRaises(JournalError):
            parse("2024-02-30 Market\n  food  1\n  cash\n")
