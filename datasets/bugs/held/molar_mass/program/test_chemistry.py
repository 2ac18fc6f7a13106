import unittest

from chemistry import FormulaError, atoms, is_balanced, mass, percent


class AtomsTest(unittest.TestCase):
    def test_simple(self):
        self.assertEqual(atoms("H2O"), {"H": 2, "O": 1})

    def test_brackets(self):
        self.assertEqual(atoms("Ca(OH)2"), {"Ca": 1, "O": 2, "H": 2})
        self.assertEqual(atoms("Fe(C(NO)2)3"), {"Fe": 1, "C": 3, "N": 6, "O": 6})

    def test_an_element_in_several_places(self):
        self.assertEqual(atoms("CH3COOH"), {"C": 2, "H": 4, "O": 2})

    def test_crystal_water(self):
        self.assertEqual(atoms("CuSO4*5H2O"), {"Cu": 1, "S": 1, "O": 9, "H": 10})

    def test_mistakes(self):
        for formula in ("Xx2", "Ca(OH", "H2)", "h2o"):
            with self.assertRaises(FormulaError):
                atoms(formula)


class MassTest(unittest.TestCase):
    def test_water(self):
        self.assertEqual(mass("H2O"), 18.015)

    def test_alcohol(self):
        self.assertEqual(mass("CH3CH2OH"), 46.069)

    def test_percent(self):
        self.assertEqual(percent("NaCl", "Na"), 39.34)


class EquationTest(unittest.TestCase):
    def test_balanced(self):
        self.assertTrue(is_balanced("2 H2 + O2 -> 2 H2O"))
        self.assertFalse(is_balanced("H2 + O2 -> H2O"))

    def test_without_an_arrow(self):
        with self.assertRaises(FormulaError):
            is_balanced("H2 + O2")


if __name__ == "__main__":
    unittest.main()
