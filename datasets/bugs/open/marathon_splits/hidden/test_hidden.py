import unittest

from splits import Run


class HiddenTest(unittest.TestCase):
    def test_single_mark(self):
        run = Run([(2, "12:00")])
        self.assertEqual(run.sections(), [(0, 2, 360)])
        self.assertEqual(run.fastest(), (0, 2))

    def test_section_times_add_up(self):
        run = Run([(1, "5:10"), (3, "14:00"), (3.5, "17:30"), (10, "58:00")])
        self.assertAlmostEqual(sum((b - a) * pace for a, b, pace in run.sections()), run.time)

    def test_first_section_may_be_fastest(self):
        self.assertEqual(Run([(1, "3:00"), (2, "6:30")]).fastest(), (0, 1))

    def test_slow_walk(self):
        self.assertEqual(Run([(0.1, "1:00:00"), (0.2, "3:00:00")]).fastest(), (0, 0.1))

    def test_no_marks(self):
        self.assertEqual(Run([]).sections(), [])
        self.assertIsNone(Run([]).fastest())
