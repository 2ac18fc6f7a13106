import unittest

from columns import shorten


class HiddenTest(unittest.TestCase):
    def test_length_is_the_limit(self):
        for limit in range(1, 12):
            self.assertEqual(len(shorten("abcdefghijkl", limit)), limit)

    def test_ends_are_kept(self):
        text = shorten("2021-annual-report.pdf", 11)
        self.assertTrue(text.startswith("2021-"))
        self.assertTrue(text.endswith("t.pdf"))

    def test_limit_of_one(self):
        self.assertEqual(shorten("abc", 1), "~")
