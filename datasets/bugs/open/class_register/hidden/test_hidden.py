import unittest

from register import Register


def filled(rows):
    register = Register()
    for row in rows:
        register.record(*row)
    return register


class HiddenTest(unittest.TestCase):
    def test_table_has_a_row_for_each_pupil(self):
        register = filled([("A", "x", 10), ("B", "x", 20), ("B", "y", 30), ("B", "z", 40)])
        self.assertEqual(register.table(), ",x,y,z\nA,10.0,,\nB,20.0,30.0,40.0")

    def test_one_subject(self):
        self.assertEqual(filled([("A", "x", 1)]).table(), ",x\nA,1.0")

    def test_every_line_has_as_many_cells(self):
        register = filled([("A", "x", 10), ("B", "y", 20), ("C", "z", 30)])
        lines = register.table().splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual({line.count(",") for line in lines}, {3})

    def test_several_failing(self):
        register = filled([("A", "x", 10), ("A", "y", 20), ("B", "x", 90)])
        self.assertEqual(register.failing(), {"A": ["x", "y"]})
