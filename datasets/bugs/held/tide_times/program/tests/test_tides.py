import unittest

from tides import Harbour, parse, show


class TimeTest(unittest.TestCase):
    def test_show(self):
        self.assertEqual(show(65), "01:05")
        self.assertEqual(show(1440 + 65), "01:05+1")

    def test_parse(self):
        self.assertEqual(parse("01:05+1"), 1505)


class HarbourTest(unittest.TestCase):
    def setUp(self):
        self.harbour = Harbour("03:10", 500, 140)

    def test_table(self):
        self.assertEqual(
            self.harbour.table(),
            ["03:10 high 500", "09:22 low 140", "15:35 high 500", "21:47 low 140"],
        )

    def test_next_day(self):
        self.assertEqual([show(m) for m in self.harbour.high_waters(2)], ["03:10", "15:35", "04:00+1", "16:25+1"])

    def test_high_water(self):
        self.assertEqual(self.harbour.depth(parse("03:10")), 500)

    def test_soon_after_high_water(self):
        self.assertGreater(self.harbour.depth(parse("03:40")), 480)

    def test_half_tide(self):
        self.assertAlmostEqual(self.harbour.depth(parse("06:16")), 320, delta=2)

    def test_always_deep_enough(self):
        self.assertEqual(self.harbour.windows(100), [(0, 1435)])

    def test_never_deep_enough(self):
        self.assertEqual(self.harbour.windows(501), [])

    def test_backwards(self):
        with self.assertRaises(ValueError):
            Harbour("00:00", 100, 200)
