import unittest

from loan import Loan


class HiddenTest(unittest.TestCase):
    def test_everything_is_paid_back(self):
        for amount in (1, 999, 50000, 123456):
            for percent in (0, 3, 7.5, 24):
                loan = Loan(amount, percent, 5000)
                rows = loan.plan()
                self.assertEqual(rows[-1].balance, 0)
                self.assertEqual(sum(row.payment for row in rows), amount + loan.total_interest())
                self.assertEqual(sum(row.principal for row in rows), amount)

    def test_all_but_the_last_are_regular(self):
        rows = Loan(123456, 9, 7000).plan()
        self.assertEqual({row.payment for row in rows[:-1]}, {7000})
        self.assertLessEqual(rows[-1].payment, 7000)

    def test_one_payment(self):
        self.assertEqual([row.as_tuple() for row in Loan(1000, 12, 5000).plan()], [(1, 1010, 10, 0)])
