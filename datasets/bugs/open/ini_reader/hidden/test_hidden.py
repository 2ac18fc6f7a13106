import unittest

from ini_reader import SettingsError, parse


class HiddenTest(unittest.TestCase):
    def test_indented_keys_after_a_second_section(self):
        text = "[a]\nk = 1\n[b]\n   m = 2\n"
        self.assertEqual(parse(text), {"a": {"k": "1"}, "b": {"m": "2"}})

    def test_continuation_that_holds_an_equals_sign(self):
        self.assertEqual(parse("[a]\nk = 1\n  x = 2"), {"a": {"k": "1\nx = 2"}})

    def test_indented_line_without_equals_at_the_start(self):
        with self.assertRaises(SettingsError):
            parse("[a]\n  nonsense")

    def test_comment_between_continued_lines(self):
        self.assertEqual(parse("[a]\nk = 1\n; note\n  2"), {"a": {"k": "1\n2"}})
