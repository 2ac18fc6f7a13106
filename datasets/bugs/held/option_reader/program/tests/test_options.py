import unittest

from options import Option, Options, UsageError


class OptionsTest(unittest.TestCase):
    def setUp(self):
        self.options = Options(
            Option("verbose", "v", help="say more"),
            Option("number", "n", kind=int, default=10, help="how many"),
            Option("output", "o", kind=str),
        )

    def read(self, line):
        return self.options.read(line.split())

    def test_defaults(self):
        self.assertEqual(self.read(""), ({"verbose": False, "number": 10, "output": None}, []))

    def test_long(self):
        values, rest = self.read("a --number=3 --verbose b --output x")
        self.assertEqual(values, {"verbose": True, "number": 3, "output": "x"})
        self.assertEqual(rest, ["a", "b"])

    def test_short(self):
        for line in ("-v -n 4", "-vn4", "-vn 4", "-n4 -v"):
            values, _ = self.read(line)
            self.assertEqual((values["verbose"], values["number"]), (True, 4))

    def test_end_of_options(self):
        self.assertEqual(self.read("-- -v --number")[1], ["-v", "--number"])

    def test_standard_input(self):
        values, rest = self.read("-v - file")
        self.assertEqual(rest, ["-", "file"])
        self.assertTrue(values["verbose"])

    def test_mistakes(self):
        for line in ("--colour", "-x", "--number", "-o", "--verbose=1", "--number=many"):
            with self.assertRaises(UsageError):
                self.read(line)

    def test_usage(self):
        lines = self.options.usage("head").splitlines()
        self.assertEqual(lines[0], "usage: head [options] ...")
        self.assertEqual(lines[1], "-n, --number=INT        how many")
