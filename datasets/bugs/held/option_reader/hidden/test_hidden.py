import unittest

from options import Option, Options, UsageError


class HiddenTest(unittest.TestCase):
    def setUp(self):
        self.options = Options(Option("all", "a"), Option("from", "f", kind=str), Option("skip", kind=int))

    def test_dash_alone(self):
        self.assertEqual(self.options.read(["-"]), ({"all": False, "from": None, "skip": None}, ["-"]))

    def test_dashes_in_between(self):
        values, rest = self.options.read(["x", "-", "-a", "-", "--skip=2"])
        self.assertEqual((values["all"], values["skip"], rest), (True, 2, ["x", "-", "-"]))

    def test_dash_as_a_value(self):
        values, rest = self.options.read(["-f", "-", "--skip", "-3"])
        self.assertEqual((values["from"], values["skip"], rest), ("-", -3, []))

    def test_unknown_ones_are_still_refused(self):
        for argument in ("-q", "-aq", "---", "--al"):
            with self.assertRaises(UsageError):
                self.options.read([argument])
