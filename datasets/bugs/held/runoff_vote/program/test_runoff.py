import unittest

from runoff import Election, ElectionError, read_ballot


class BallotTest(unittest.TestCase):
    def test_read(self):
        self.assertEqual(read_ballot(" Ann>Bob ", ["Ann", "Bob"]), ["Ann", "Bob"])

    def test_twice(self):
        with self.assertRaises(ElectionError):
            read_ballot("Ann > Ann", ["Ann", "Bob"])


class ElectionTest(unittest.TestCase):
    def setUp(self):
        self.election = Election(["Ann", "Bob", "Cem"])

    def test_majority_at_once(self):
        self.election.cast("Ann > Bob", 3)
        self.election.cast("Bob > Ann", 2)
        self.assertEqual(self.election.winner(), "Ann")
        self.assertEqual(len(self.election.rounds()), 1)

    def test_second_choices_decide(self):
        self.election.cast("Ann > Bob > Cem", 4)
        self.election.cast("Bob > Cem > Ann", 3)
        self.election.cast("Cem > Bob > Ann", 2)
        self.assertEqual(self.election.rounds()[1], {"Ann": 4, "Bob": 5})
        self.assertEqual(self.election.winner(), "Bob")

    def test_a_ballot_that_names_one_only(self):
        self.election.cast("Ann", 4)
        self.election.cast("Bob", 3)
        self.election.cast("Cem", 2)
        self.assertEqual(self.election.rounds()[-1], {"Ann": 4, "Bob": 3})

    def test_spoilt(self):
        self.election.cast("Dee", 2)
        self.election.cast("Ann")
        self.assertEqual(self.election.spoilt, 2)
        self.assertEqual(self.election.winner(), "Ann")

    def test_report(self):
        self.election.cast("Cem > Ann", 2)
        self.assertEqual(self.election.report(), "round 1: Ann 0, Bob 0, Cem 2\nelected: Cem")


if __name__ == "__main__":
    unittest.main()
