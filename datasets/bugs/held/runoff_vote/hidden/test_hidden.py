import unittest

from runoff import Election


class HiddenTest(unittest.TestCase):
    def test_an_empty_ballot_counts_for_nobody(self):
        election = Election(["Ann", "Bob"])
        election.cast("", 5)
        election.cast("Bob")
        self.assertEqual(election.rounds(), [{"Ann": 0, "Bob": 1}])

    def test_the_majority_is_of_the_votes_that_still_count(self):
        election = Election(["A", "B", "C", "D"])
        for ballot, papers in (("A", 5), ("B > A", 4), ("C", 3), ("D", 2)):
            election.cast(ballot, papers)
        self.assertEqual(election.rounds()[1:], [{"A": 5, "B": 4, "C": 3}, {"A": 5, "B": 4}])

    def test_counts_of_some(self):
        election = Election(["A", "B", "C"])
        for ballot in ("A > B", "B > C", "C", "C > A"):
            election.cast(ballot)
        self.assertEqual(election.count({"A"}), {"A": 2})
        self.assertEqual(election.count({"B", "A"}), {"A": 2, "B": 1})
