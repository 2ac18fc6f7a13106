import unittest

from build.planner import build_order, rebuild
from build.targets import Targets

DEEP = Targets.parse("a: b c\nb: d e\nc: e x\nd: y\ne: z")


class HiddenTest(unittest.TestCase):
    def test_each_target_once_and_after_what_it_needs(self):
        order = build_order(DEEP, "a")
        self.assertEqual(sorted(order), ["a", "b", "c", "d", "e"])
        for name in order:
            for source in DEEP.needs[name]:
                if not DEEP.is_source(source):
                    self.assertLess(order.index(source), order.index(name))

    def test_rebuild_of_a_shared_part(self):
        self.assertEqual(rebuild(DEEP, "a", ["z"]), ["e", "b", "c", "a"])

    def test_target_without_sources(self):
        self.assertEqual(build_order(Targets.parse("clean:"), "clean"), ["clean"])
