import unittest

from darts import Leg, dart_value


class DartValueTest(unittest.TestCase):
    def test_values(self):
        self.assertEqual([dart_value(d) for d in ("T20", "D5", "7", "B", "DB", "-")], [60, 10, 7, 25, 50, 0])

    def test_no_such_field(self):
        with self.assertRaises(ValueError):
            dart_value("21")


class LegTest(unittest.TestCase):
    def test_turns_alternate(self):
        leg = Leg(["Ann", "Bob"])
        leg.throw(["T20", "T20", "T20"])
        self.assertEqual(leg.current.name, "Bob")
        self.assertEqual(leg.players[0].left, 321)

    def test_all_three_darts_count(self):
        leg = Leg(["Ann"], start=301)
        self.assertEqual(leg.throw(["20", "5", "1"]), 26)

    def test_finish_on_a_double(self):
        leg = Leg(["Ann"], start=50)
        self.assertEqual(leg.throw(["10", "D20"]), 50)
        self.assertEqual(leg.winner, "Ann")

    def test_bust_scores_nothing(self):
        leg = Leg(["Ann"], start=50)
        self.assertEqual(leg.throw(["T20"]), 0)
        self.assertEqual(leg.players[0].left, 50)

    def test_over_is_over(self):
        leg = Leg(["Ann"], start=2)
        leg.throw(["D1"])
        with self.assertRaises(RuntimeError):
            leg.throw(["1"])
