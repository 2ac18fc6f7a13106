import unittest

from ignore import IgnoreList


class HiddenTest(unittest.TestCase):
    def test_directories_only(self):
        ignore = IgnoreList("cache/")
        self.assertTrue(ignore.ignores("cache/a"))
        self.assertTrue(ignore.ignores("x/cache/y/z"))
        self.assertFalse(ignore.ignores("cache"))
        self.assertFalse(ignore.ignores("x/cache"))

    def test_rule_without_slash_matches_both(self):
        ignore = IgnoreList("cache")
        self.assertTrue(ignore.ignores("cache"))
        self.assertTrue(ignore.ignores("cache/a"))

    def test_kept_directory(self):
        ignore = IgnoreList("out*/\n!outline/")
        self.assertTrue(ignore.ignores("output/a"))
        self.assertFalse(ignore.ignores("outline/a"))

    def test_no_rules(self):
        self.assertEqual(IgnoreList("\n# nothing\n").filter(["a", "b/c"]), ["a", "b/c"])
