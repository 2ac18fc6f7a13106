import unittest

from rainfall import spells, wettest_spell


def days(*amounts):
    return [(f"2020-01-{i:02d}", amount) for i, amount in enumerate(amounts, 1)]


class HiddenTest(unittest.TestCase):
    def test_spell_amounts_add_up(self):
        readings = days(1.5, 2.5, 3.0, 0, 9.0, 0, 1.0, 1.0)
        self.assertEqual([s[2] for s in spells(readings)], [7.0, 9.0, 2.0])
        self.assertEqual([s[1] for s in spells(readings)], [3, 1, 2])

    def test_a_long_weak_spell_beats_a_short_strong_one(self):
        self.assertEqual(wettest_spell(days(4, 4, 4, 0, 10)), ("2020-01-01", 3, 12.0))

    def test_all_wet(self):
        self.assertEqual(spells(days(2, 2, 2, 2)), [("2020-01-01", 4, 8.0)])

    def test_all_dry(self):
        self.assertEqual(spells(days(0, 0.9)), [])
        self.assertIsNone(wettest_spell([]))
