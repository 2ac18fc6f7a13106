import unittest

from tides import Harbour, show


class HiddenTest(unittest.TestCase):
    def test_fifty_minutes_later_every_day(self):
        times = Harbour("00:00", 300, 100).high_waters(10)
        self.assertEqual([show(times[2 * day]) for day in (1, 2, 9)], ["00:50+1", "01:40+2", "07:30+9"])
        self.assertEqual({b - a for a, b in zip(times, times[1:])}, {745})

    def test_depth_is_the_same_one_tide_later(self):
        harbour = Harbour("01:00", 300, 100)
        for moment in range(0, 745, 60):
            self.assertAlmostEqual(harbour.depth(moment), harbour.depth(moment + 745))

    def test_low_in_the_middle(self):
        harbour = Harbour("00:00", 300, 100)
        self.assertAlmostEqual(harbour.depth(372), 100, delta=1)
        self.assertAlmostEqual(harbour.depth(186), 200, delta=1)

    def test_windows(self):
        first, second, *_ = Harbour("00:00", 300, 100).windows(200, days=2)
        self.assertEqual(first, (0, 185))
        self.assertEqual(second, (560, 930))
