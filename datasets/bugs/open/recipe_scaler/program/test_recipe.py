import unittest
from fractions import Fraction

from recipe import Recipe, parse_amount, show_amount


class RecipeTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_amount("1 1/2"), Fraction(3, 2))

    def test_show(self):
        self.assertEqual(show_amount(Fraction(5, 2)), "2 1/2")
        self.assertEqual(show_amount(Fraction(1, 100)), "a pinch")
        self.assertEqual(show_amount(Fraction(99, 50)), "2")

    def test_scale(self):
        recipe = Recipe("Pancakes", 4)
        recipe.add("2", "cups", "flour")
        recipe.add("3", "", "eggs")
        self.assertEqual(
            recipe.scaled(2).listing(),
            "Pancakes (serves 2)\n1 cups flour\n1 1/2 eggs",
        )

    def test_nobody(self):
        with self.assertRaises(ValueError):
            Recipe("Soup", 2).scaled(0)


if __name__ == "__main__":
    unittest.main()
