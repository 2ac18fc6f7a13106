import unittest
from itertools import combinations

from league.fixtures import rounds, season


class HiddenTest(unittest.TestCase):
    def test_all_pairs_for_many_sizes(self):
        for count in range(2, 11):
            names = "ABCDEFGHIJ"[:count]
            games = [frozenset(pair) for pairs in rounds(names) for pair in pairs]
            self.assertEqual(len(games), len(set(games)))
            self.assertEqual(set(games), {frozenset(pair) for pair in combinations(names, 2)})

    def test_nobody_twice_in_a_round(self):
        for count in (5, 6, 8):
            for pairs in season("ABCDEFGH"[:count]):
                names = [name for pair in pairs for name in pair]
                self.assertEqual(len(names), len(set(names)))
