import unittest

from chemistry import atoms, is_balanced, mass, percent


class HiddenTest(unittest.TestCase):
    def test_the_same_atom_many_times(self):
        self.assertEqual(atoms("CCCHHO"), {"C": 3, "H": 2, "O": 1})
        self.assertEqual(atoms("C2HC3H4"), {"C": 5, "H": 5})

    def test_inside_brackets(self):
        self.assertEqual(atoms("Mg(CH3COO)2"), {"Mg": 1, "C": 4, "H": 6, "O": 4})

    def test_after_a_bracket(self):
        self.assertEqual(atoms("(NH4)2NO3H"), {"N": 3, "H": 9, "O": 3})
        self.assertEqual(atoms("O(OH)2O3"), {"O": 6, "H": 2})

    def test_one_atom(self):
        self.assertEqual(mass("HHH"), mass("H3"))
        self.assertEqual(percent("OO", "O"), 100)

    def test_equation(self):
        self.assertTrue(is_balanced("CH3COOH + 2 O2 -> 2 CO2 + 2 H2O"))
