import unittest

from sheet import CycleError, FormulaError, Sheet


class SheetTest(unittest.TestCase):
    def setUp(self):
        self.sheet = Sheet()
        for row, value in enumerate((10, 20, 30), 1):
            self.sheet.set(f"A{row}", value)

    def work_out(self, formula):
        self.sheet.set("Z9", "=" + formula)
        return self.sheet.get("Z9")

    def test_plain_values(self):
        self.sheet.set("B1", "hello")
        self.assertEqual((self.sheet.get("A1"), self.sheet.get("B1"), self.sheet.get("C1")), (10.0, "hello", None))

    def test_references(self):
        self.assertEqual(self.work_out("A1 + A2 * 2"), 50)

    def test_parentheses_and_minus(self):
        self.assertEqual(self.work_out("-(A1 + 2) * 3"), -36)

    def test_left_to_right(self):
        self.assertEqual(self.work_out("100 - 10 - 5"), 85)

    def test_power(self):
        self.assertEqual(self.work_out("2 ^ 3 ^ 2"), 512)

    def test_functions_over_blocks(self):
        self.assertEqual(self.work_out("SUM(A1:A3, 5)"), 65)
        self.assertEqual(self.work_out("AVERAGE(A1:A9)"), 20)

    def test_text(self):
        self.assertEqual(self.work_out('"n=" & A1'), "n=10")

    def test_condition(self):
        self.assertEqual(self.work_out('IF(A1 < A2, "up", "down")'), "up")

    def test_values_follow_changes(self):
        self.sheet.set("B1", "=A1 * 2")
        self.assertEqual(self.sheet.get("B1"), 20)
        self.sheet.set("A1", 7)
        self.assertEqual(self.sheet.get("B1"), 14)

    def test_formula_replaced_by_a_value(self):
        self.sheet.set("B1", "=A1")
        self.sheet.set("B1", 3)
        self.assertEqual(self.sheet.get("B1"), 3)

    def test_cycle(self):
        self.sheet.set("B1", "=B2")
        self.sheet.set("B2", "=B1 + 1")
        with self.assertRaises(CycleError):
            self.sheet.get("B1")

    def test_division_by_zero_shows_an_error(self):
        self.sheet.set("B1", "=A1 / C1")
        self.assertEqual(self.sheet.show("B1"), "#ERR")

    def test_bad_formulas(self):
        for formula in ("=1 +", "=(2", "=SUM(1 2)", "=1 $ 2"):
            with self.assertRaises(FormulaError):
                self.sheet.set("B1", formula)
