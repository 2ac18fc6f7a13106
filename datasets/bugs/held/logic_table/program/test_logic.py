import unittest

from logic import LogicError, always, counterexample, read, same, table


class ReadingTest(unittest.TestCase):
    def test_tightness(self):
        self.assertEqual(str(read("a or not b and c implies d")), "((a or (not b and c)) implies d)")

    def test_grouping(self):
        self.assertEqual(str(read("a implies b implies c")), "(a implies (b implies c))")
        self.assertEqual(str(read("a or b or c")), "((a or b) or c)")

    def test_mistakes(self):
        for text in ("", "a and", "(a", "a b", "or a"):
            with self.assertRaises(LogicError):
                read(text)


class TruthTest(unittest.TestCase):
    def test_and(self):
        self.assertEqual([value for _, value in table("a and b")], [True, False, False, False])

    def test_implies(self):
        self.assertEqual([value for _, value in table("a implies b")], [True, False, True, True])

    def test_always(self):
        self.assertTrue(always("a or not a"))
        self.assertFalse(always("a and b iff a"))

    def test_contraposition(self):
        self.assertTrue(same("a implies b", "not b implies not a"))

    def test_de_morgan(self):
        self.assertTrue(same("not (a and b)", "not a or not b"))

    def test_valid_argument(self):
        self.assertIsNone(counterexample(["rain implies wet", "rain"], "wet"))

    def test_invalid_argument(self):
        self.assertEqual(counterexample(["rain implies wet", "wet"], "rain"), {"rain": False, "wet": True})


if __name__ == "__main__":
    unittest.main()
