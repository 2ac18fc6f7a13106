import unittest

from logic import always, counterexample, same, table


class HiddenTest(unittest.TestCase):
    def test_from_nothing_anything_follows(self):
        self.assertTrue(always("a and not a implies b"))

    def test_each_row(self):
        rows = {(w["p"], w["q"]): value for w, value in table("p implies q")}
        self.assertEqual(rows, {(True, True): True, (True, False): False, (False, True): True, (False, False): True})

    def test_laws(self):
        self.assertTrue(same("p iff q", "(p implies q) and (q implies p)"))
        self.assertTrue(same("p implies q implies r", "p and q implies r"))
        self.assertFalse(same("p implies q", "q implies p"))

    def test_chain_of_conclusions(self):
        self.assertIsNone(counterexample(["a implies b", "b implies c", "not c"], "not a"))
        self.assertEqual(counterexample(["a implies b"], "b"), {"a": False, "b": False})

    def test_the_other_words(self):
        self.assertEqual([value for _, value in table("a or b")], [True, True, True, False])
        self.assertEqual([value for _, value in table("a iff b")], [True, False, False, True])
