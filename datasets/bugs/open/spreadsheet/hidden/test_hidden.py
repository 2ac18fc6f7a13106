import unittest

from sheet import Sheet
from sheet.address import cells_between, join_name, split_name


class HiddenTest(unittest.TestCase):
    def test_names_go_back_and_forth(self):
        for column in (1, 25, 26, 27, 51, 52, 53, 701, 702, 703, 1000):
            self.assertEqual(split_name(join_name(column, 4)), (column, 4))

    def test_names(self):
        self.assertEqual([join_name(c, 1) for c in (1, 26, 27, 52, 702)], ["A1", "Z1", "AA1", "AZ1", "ZZ1"])

    def test_wide_block(self):
        self.assertEqual(cells_between("Y1", "AB1"), ["Y1", "Z1", "AA1", "AB1"])

    def test_sum_over_a_wide_block(self):
        sheet = Sheet()
        for name in ("Y1", "Z1", "AA1", "AB1"):
            sheet.set(name, 1)
        sheet.set("A2", "=SUM(AB1:Y1)")
        self.assertEqual(sheet.get("A2"), 4)
