import unittest

from poll import Poll


class HiddenTest(unittest.TestCase):
    def test_no_votes_at_all(self):
        poll = Poll(["x", "y", "z"])
        self.assertEqual(poll.percentages(), {"x": 0.0, "y": 0.0, "z": 0.0})
        self.assertEqual(poll.seats(3), {"x": 0, "y": 0, "z": 0})

    def test_only_spoiled_votes(self):
        poll = Poll(["x"])
        poll.cast_many("q r s")
        self.assertEqual(poll.percentages(), {"x": 0.0})
        self.assertEqual(poll.turnout(6), 50.0)

    def test_seats_are_all_given(self):
        poll = Poll(["x", "y"])
        poll.cast_many("x y y")
        for total in range(10):
            self.assertEqual(sum(poll.seats(total).values()), total)
