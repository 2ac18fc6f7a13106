import unittest

from darts import Leg


class HiddenTest(unittest.TestCase):
    def test_bust_with_the_third_dart(self):
        leg = Leg(["A"], start=60)
        self.assertEqual(leg.throw(["20", "20", "19"]), 0)

    def test_zero_without_a_double_is_a_bust(self):
        leg = Leg(["A"], start=20)
        self.assertEqual(leg.throw(["20"]), 0)
        self.assertIsNone(leg.winner)

    def test_average_of_full_visits(self):
        leg = Leg(["A"], start=501)
        leg.throw(["20", "20", "20"])
        leg.throw(["1", "1", "1"])
        self.assertEqual(leg.average("A"), 31.5)

    def test_fewer_darts(self):
        leg = Leg(["A"])
        self.assertEqual(leg.throw([]), 0)
        self.assertEqual(leg.throw(["5", "6"]), 11)
