import unittest

from ignore import IgnoreList, Rule

RULES = """
# leftovers
*.tmp
!keep.tmp
build/
/notes.txt
docs/*.pdf
"""


class IgnoreTest(unittest.TestCase):
    def setUp(self):
        self.ignore = IgnoreList(RULES)

    def test_name_pattern_in_any_directory(self):
        self.assertTrue(self.ignore.ignores("a.tmp"))
        self.assertTrue(self.ignore.ignores("deep/down/a.tmp"))

    def test_exception(self):
        self.assertFalse(self.ignore.ignores("keep.tmp"))

    def test_directory(self):
        self.assertTrue(self.ignore.ignores("src/build/out.o"))

    def test_directory_rule_leaves_a_file_of_that_name(self):
        self.assertFalse(self.ignore.ignores("src/build"))

    def test_anchored(self):
        self.assertTrue(self.ignore.ignores("notes.txt"))
        self.assertFalse(self.ignore.ignores("sub/notes.txt"))

    def test_pattern_with_a_directory(self):
        self.assertTrue(self.ignore.ignores("docs/a.pdf"))
        self.assertFalse(self.ignore.ignores("other/a.pdf"))

    def test_filter(self):
        self.assertEqual(self.ignore.filter(["a.py", "b.tmp", "build/x"]), ["a.py"])

    def test_rule_flags(self):
        rule = Rule("!/out/")
        self.assertTrue(rule.keeps and rule.directory_only and rule.anchored)
        self.assertEqual(rule.pattern, "out")


if __name__ == "__main__":
    unittest.main()
