import unittest

from access import NAMES, Access, parse_flags, show_flags


class HiddenTest(unittest.TestCase):
    def test_denying_what_was_never_granted_grants_nothing(self):
        access = Access()
        access.define("g", "r")
        access.join("p", "g")
        access.deny("p", "wd")
        self.assertEqual(show_flags(access.flags("p")), "r---")

    def test_denying_twice_is_denying_once(self):
        access = Access()
        access.define("g", "rwsd")
        access.join("p", "g")
        access.deny("p", "w")
        access.deny("p", "w")
        self.assertEqual(show_flags(access.flags("p")), "r-sd")

    def test_denials_in_any_order(self):
        for first in NAMES:
            for second in NAMES:
                access = Access()
                access.define("g", "rwsd")
                access.join("p", "g")
                access.deny("p", first)
                access.deny("p", second)
                self.assertEqual(access.flags("p"), 15 & ~parse_flags(first + second))

    def test_stranger(self):
        access = Access()
        access.deny("p", "r")
        self.assertEqual(access.flags("p"), 0)
