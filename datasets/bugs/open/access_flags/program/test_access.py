import unittest

from access import EVERYTHING, READ, WRITE, Access, parse_flags, show_flags


class FlagsTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_flags("rw"), READ | WRITE)
        self.assertEqual(parse_flags("-"), 0)

    def test_parse_unknown(self):
        with self.assertRaises(ValueError):
            parse_flags("rx")

    def test_show(self):
        self.assertEqual(show_flags(READ | WRITE), "rw--")
        self.assertEqual(show_flags(EVERYTHING), "rwsd")


class AccessTest(unittest.TestCase):
    def setUp(self):
        self.access = Access()
        self.access.define("readers", "r")
        self.access.define("editors", "rw")
        self.access.define("owners", "rwsd")
        self.access.join("ana", "owners")
        self.access.join("ben", "readers")

    def test_allowed(self):
        self.assertTrue(self.access.allowed("ana", "wd"))
        self.assertFalse(self.access.allowed("ben", "w"))

    def test_all_of_the_wanted_flags_are_needed(self):
        self.assertFalse(self.access.allowed("ben", "rw"))

    def test_groups_add_up(self):
        self.access.join("ben", "editors")
        self.assertTrue(self.access.allowed("ben", "rw"))

    def test_denial_wins(self):
        self.access.deny("ana", "d")
        self.assertEqual(show_flags(self.access.flags("ana")), "rws-")

    def test_denials_add_up(self):
        self.access.deny("ana", "d")
        self.access.deny("ana", "s")
        self.assertEqual(show_flags(self.access.flags("ana")), "rw--")

    def test_leaving(self):
        self.access.leave("ana", "owners")
        self.assertEqual(self.access.who_can("r"), ["ben"])

    def test_unknown_group(self):
        with self.assertRaises(KeyError):
            self.access.join("ana", "guests")


if __name__ == "__main__":
    unittest.main()
