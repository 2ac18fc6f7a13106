import unittest

from league.fixtures import rounds, season
from league.standings import League


class StandingsTest(unittest.TestCase):
    def setUp(self):
        self.league = League("Ajo", "Bel", "Cim")
        self.league.report("Ajo", "Bel", 2, 1)
        self.league.report("Bel", "Cim", 0, 0)

    def test_points(self):
        points = {name: team.points for name, team in self.league.teams.items()}
        self.assertEqual(points, {"Ajo": 3, "Bel": 1, "Cim": 1})

    def test_table(self):
        self.assertEqual([team.name for team in self.league.table()], ["Ajo", "Cim", "Bel"])

    def test_render(self):
        self.assertEqual(self.league.render().splitlines()[0], "1. Ajo       1   2:1   3")

    def test_only_once(self):
        with self.assertRaises(ValueError):
            self.league.report("Ajo", "Bel", 1, 1)


class FixturesTest(unittest.TestCase):
    def test_number_of_rounds(self):
        self.assertEqual(len(rounds("ABCD")), 3)
        self.assertEqual(len(rounds("ABCDE")), 5)

    def test_everybody_plays_once_a_round(self):
        for pairs in rounds("ABCDEF"):
            self.assertEqual(sorted(name for pair in pairs for name in pair), list("ABCDEF"))

    def test_everybody_meets_everybody(self):
        met = {frozenset(pair) for pairs in rounds("ABCD") for pair in pairs}
        self.assertEqual(len(met), 6)

    def test_season_has_home_and_away(self):
        games = [pair for pairs in season("ABC") for pair in pairs]
        self.assertEqual(len(games), 6)
        self.assertEqual(len(set(games)), 6)
