import unittest

from loan import Loan, LoanError, saved_by_extra


class LoanTest(unittest.TestCase):
    def test_interest_is_rounded(self):
        loan = Loan(100000, 6, 50000)
        self.assertEqual(loan.interest(100000), 500)
        self.assertEqual(loan.interest(100), 1)

    def test_without_interest(self):
        self.assertEqual([row.payment for row in Loan(2500, 0, 1000).plan()], [1000, 1000, 500])

    def test_plan(self):
        rows = Loan(100000, 12, 40000).plan()
        self.assertEqual(
            [row.as_tuple() for row in rows],
            [(1, 40000, 1000, 61000), (2, 40000, 610, 21610), (3, 21826, 216, 0)],
        )

    def test_balance_after(self):
        loan = Loan(100000, 12, 40000)
        self.assertEqual([loan.balance_after(month) for month in range(3)], [100000, 61000, 21610])

    def test_never_paid_back(self):
        with self.assertRaises(LoanError):
            Loan(100000, 12, 1000).plan()

    def test_extra(self):
        loan = Loan(100000, 12, 40000)
        loan.pay_extra(1, 61000)
        self.assertEqual([row.payment for row in loan.plan()], [101000])

    def test_saved(self):
        self.assertEqual(saved_by_extra(Loan(100000, 12, 40000), 1, 21000), (0, 422))


if __name__ == "__main__":
    unittest.main()
