import unittest

from ini_reader import SettingsError, dump, get_flag, parse

SAMPLE = """
# main settings
[server]
host = example.test
Port=8080

[paths]
search = /a
    /b
    /c
"""


class ParseTest(unittest.TestCase):
    def test_sections_and_keys(self):
        settings = parse(SAMPLE)
        self.assertEqual(settings["server"], {"host": "example.test", "port": "8080"})

    def test_continued_value(self):
        self.assertEqual(parse(SAMPLE)["paths"]["search"], "/a\n/b\n/c")

    def test_indented_first_key(self):
        self.assertEqual(parse("[a]\n  key = 1\n"), {"a": {"key": "1"}})

    def test_value_outside_a_section(self):
        with self.assertRaises(SettingsError) as caught:
            parse("x = 1")
        self.assertEqual(caught.exception.number, 1)

    def test_unclosed_section(self):
        with self.assertRaises(SettingsError):
            parse("[a\nx = 1")

    def test_round_trip(self):
        settings = parse(SAMPLE)
        self.assertEqual(parse(dump(settings)), settings)

    def test_flags(self):
        settings = parse("[a]\nx = Yes\ny = off")
        self.assertTrue(get_flag(settings, "a", "x"))
        self.assertFalse(get_flag(settings, "a", "y"))
        self.assertTrue(get_flag(settings, "b", "z", default=True))


if __name__ == "__main__":
    unittest.main()
