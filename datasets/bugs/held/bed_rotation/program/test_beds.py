import unittest

from beds import Bed, Garden, family_of


class BedTest(unittest.TestCase):
    def setUp(self):
        self.bed = Bed("south", 6)
        self.bed.plant(2020, "tomato", "leek")

    def test_family(self):
        self.assertEqual(family_of("kale"), "cabbage")
        with self.assertRaises(ValueError):
            family_of("palm")

    def test_next_year_is_too_early(self):
        self.assertFalse(self.bed.rested("nightshade", 2021))

    def test_the_whole_pause_has_to_pass(self):
        self.assertEqual([self.bed.rested("nightshade", year) for year in (2022, 2023, 2024)], [False, False, True])

    def test_other_families_may_grow(self):
        self.assertTrue(self.bed.rested("pea", 2021))

    def test_next_year(self):
        self.assertEqual(self.bed.next_year("onion", 2021), 2025)


class GardenTest(unittest.TestCase):
    def setUp(self):
        self.garden = Garden(Bed("south", 6), Bed("north", 8), Bed("wall", 2))

    def test_largest_first(self):
        self.assertEqual(self.garden.beds_for("kale", 2024), ["north", "south", "wall"])

    def test_plan(self):
        plan = self.garden.plan(["potato", "leek", "bean", "carrot"], 2024)
        self.assertEqual(plan, {"potato": "north", "leek": "south", "bean": "wall"})

    def test_the_year_after(self):
        self.garden.follow({"potato": "north"}, 2024)
        self.assertEqual(self.garden.plan(["tomato"], 2025), {"tomato": "south"})


if __name__ == "__main__":
    unittest.main()
