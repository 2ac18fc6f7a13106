import unittest

from poll import Poll, show


class PollTest(unittest.TestCase):
    def setUp(self):
        self.poll = Poll(["oak", "elm", "ash"])
        self.poll.cast_many("oak oak elm ash oak elm fir oak")

    def test_counts(self):
        self.assertEqual(self.poll.votes, {"oak": 4, "elm": 2, "ash": 1})
        self.assertEqual(self.poll.spoiled, 1)

    def test_percentages(self):
        self.assertEqual(self.poll.percentages(), {"oak": 57.1, "elm": 28.6, "ash": 14.3})

    def test_turnout(self):
        self.assertEqual(self.poll.turnout(16), 50.0)

    def test_no_electorate(self):
        with self.assertRaises(ValueError):
            self.poll.turnout(0)

    def test_winners(self):
        self.assertEqual(self.poll.winners(), ["oak"])
        self.poll.cast_many("elm elm")
        self.assertEqual(self.poll.winners(), ["oak", "elm"])

    def test_seats(self):
        self.assertEqual(self.poll.seats(4), {"oak": 3, "elm": 1, "ash": 0})

    def test_threshold(self):
        self.assertEqual(self.poll.seats(6, threshold=20), {"oak": 4, "elm": 2, "ash": 0})

    def test_empty_poll(self):
        poll = Poll(["a", "b"])
        self.assertEqual(poll.winners(), [])
        self.assertEqual(show(poll), "a          0    0.0%\nb          0    0.0%")

    def test_show(self):
        self.assertEqual(show(self.poll).splitlines()[0], "oak        4   57.1%")


if __name__ == "__main__":
    unittest.main()
