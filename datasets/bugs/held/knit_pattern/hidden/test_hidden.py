import unittest

from knitting import Gauge, Pattern


class HiddenTest(unittest.TestCase):
    def test_whole_repeats_and_wide_enough(self):
        gauge = Gauge(18, 24)
        for row in ("K1", "K1 P2", "K3 P4", "(K1 P1)x6", "K5 (P3)x9"):
            for edge in (0, 1, 3):
                pattern = Pattern([row], edge)
                for width in (3, 10, 11, 25, 60):
                    stitches = pattern.cast_on(gauge, width)
                    self.assertEqual((stitches - 2 * edge) % pattern.repeat, 0)
                    self.assertGreaterEqual(stitches, gauge.stitches_for(width))
                    self.assertLess(stitches - pattern.repeat, max(gauge.stitches_for(width), 2 * edge + 1))

    def test_known(self):
        self.assertEqual(Pattern(["K3 P4"], 2).cast_on(Gauge(20, 20), 20), 46)
        self.assertEqual(Pattern(["K20 P20"], 0).cast_on(Gauge(20, 20), 5), 40)
