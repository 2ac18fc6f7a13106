import unittest

from tables import inner_join, left_join


class HiddenTest(unittest.TestCase):
    def test_left_join_keeps_every_left_row(self):
        left = [{"k": str(i), "l": "x"} for i in range(6)]
        right = [{"k": "2", "r": "two"}, {"k": "4", "r": "four"}]
        joined = left_join(left, right, "k")
        self.assertEqual([r["k"] for r in joined], ["0", "1", "2", "3", "4", "5"])
        self.assertEqual([r["r"] for r in joined], ["", "", "two", "", "four", ""])

    def test_inner_is_a_part_of_left(self):
        left = [{"k": "1", "l": "a"}, {"k": "2", "l": "b"}]
        right = [{"k": "1", "r": "z"}]
        inner = inner_join(left, right, "k")
        self.assertEqual([r for r in left_join(left, right, "k") if r in inner], inner)
