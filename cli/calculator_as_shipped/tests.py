"""The calculator's tests: python tests.py."""

import unittest

from pkg.calculator import Calculator


class TestCalculator(unittest.TestCase):
    def setUp(self) -> None:
        self.calculator = Calculator()

    def test_addition(self) -> None:
        self.assertEqual(self.calculator.evaluate("3 + 5"), 8)

    def test_subtraction(self) -> None:
        self.assertEqual(self.calculator.evaluate("10 - 4"), 6)

    def test_multiplication(self) -> None:
        self.assertEqual(self.calculator.evaluate("3 * 4"), 12)

    def test_division(self) -> None:
        self.assertEqual(self.calculator.evaluate("10 / 4"), 2.5)

    def test_multiplication_comes_before_addition(self) -> None:
        self.assertEqual(self.calculator.evaluate("3 + 7 * 2"), 17)

    def test_all_four_operators_together(self) -> None:
        self.assertEqual(self.calculator.evaluate("9 - 8 / 2 + 3 * 5"), 20)

    def test_nothing_to_evaluate(self) -> None:
        self.assertIsNone(self.calculator.evaluate("   "))

    def test_an_unknown_operator_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            self.calculator.evaluate("3 $ 5")

    def test_an_operator_needs_two_numbers(self) -> None:
        with self.assertRaises(ValueError):
            self.calculator.evaluate("+ 3")


if __name__ == "__main__":
    unittest.main()
