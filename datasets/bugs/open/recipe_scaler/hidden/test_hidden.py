import unittest
from fractions import Fraction

from recipe import Recipe, show_amount


class HiddenTest(unittest.TestCase):
    def test_thirds(self):
        self.assertEqual(show_amount(Fraction(2, 3)), "2/3")
        self.assertEqual(show_amount(Fraction(0)), "0")

    def test_scaling_back_and_forth(self):
        recipe = Recipe("Soup", 3)
        recipe.add("1 1/4", "l", "water")
        self.assertEqual(recipe.scaled(7).scaled(3).ingredients, recipe.ingredients)
