import unittest

from sheet import FormulaError
from sheet.address import cells_between, join_name, split_name


class AddressTest(unittest.TestCase):
    def test_split(self):
        self.assertEqual(split_name("B7"), (2, 7))
        self.assertEqual(split_name("AA1"), (27, 1))

    def test_join(self):
        self.assertEqual(join_name(26, 3), "Z3")
        self.assertEqual(join_name(28, 3), "AB3")

    def test_block(self):
        self.assertEqual(cells_between("A1", "B2"), ["A1", "B1", "A2", "B2"])

    def test_block_upside_down(self):
        self.assertEqual(cells_between("B3", "A2"), ["A2", "B2", "A3", "B3"])

    def test_not_a_cell(self):
        with self.assertRaises(FormulaError):
            split_name("7B")
