import unittest

from words import count_words, longest


class HiddenTest(unittest.TestCase):
    def test_counts(self):
        self.assertEqual(count_words("A b, a! B? c. c; C: -"), {"a": 2, "b": 2, "c": 3})
        self.assertEqual(count_words("  spaces   here  "), {"spaces": 1, "here": 1})

    def test_longest(self):
        self.assertEqual(longest("one three seven"), "three")
        self.assertEqual(longest("   "), "")
        self.assertEqual(longest("ab abc abcd"), "abcd")
