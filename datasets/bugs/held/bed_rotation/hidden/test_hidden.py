import unittest

from beds import FAMILIES, PAUSE, Bed, Garden


class HiddenTest(unittest.TestCase):
    def test_every_family(self):
        for family, plants in FAMILIES.items():
            bed = Bed("b", 1)
            bed.plant(2000, plants[0])
            free = [year for year in range(2001, 2010) if bed.rested(family, year)]
            self.assertEqual(free[0], 2000 + PAUSE[family] + 1)
            self.assertEqual(bed.next_year(family, 2001), free[0])

    def test_the_year_itself_does_not_count(self):
        bed = Bed("b", 1)
        bed.plant(2000, "kale")
        self.assertTrue(bed.rested("cabbage", 2000))

    def test_every_third_year(self):
        garden = Garden(Bed("a", 3), Bed("b", 2), Bed("c", 1))
        used = []
        for year in range(2000, 2006):
            plan = garden.plan(["bean"], year)
            garden.follow(plan, year)
            used.append(plan["bean"])
        self.assertEqual(used, ["a", "b", "c", "a", "b", "c"])
