import unittest

from build.planner import BuildCycle, build_order, rebuild, stale
from build.targets import Targets

TEXT = """
app: main.o util.o   # the program
main.o: main.c util.h
util.o: util.c util.h
docs: manual.txt
"""


class BuildTest(unittest.TestCase):
    def setUp(self):
        self.targets = Targets.parse(TEXT)

    def test_parse(self):
        self.assertEqual(self.targets.needs["main.o"], ["main.c", "util.h"])

    def test_parse_error(self):
        with self.assertRaisesRegex(ValueError, "line 1"):
            Targets.parse("nonsense")

    def test_used_by(self):
        self.assertEqual(self.targets.used_by("util.h"), ["main.o", "util.o"])

    def test_order(self):
        self.assertEqual(build_order(self.targets, "app"), ["main.o", "util.o", "app"])

    def test_order_of_a_source(self):
        self.assertEqual(build_order(self.targets, "main.c"), [])

    def test_cycle(self):
        with self.assertRaises(BuildCycle):
            build_order(Targets.parse("a: b\nb: c\nc: a"), "b")

    def test_stale(self):
        self.assertEqual(stale(self.targets, ["util.c"]), {"util.o", "app"})

    def test_rebuild(self):
        self.assertEqual(rebuild(self.targets, "app", ["main.c", "manual.txt"]), ["main.o", "app"])

    def test_nothing_changed(self):
        self.assertEqual(rebuild(self.targets, "app", []), [])


if __name__ == "__main__":
    unittest.main()
