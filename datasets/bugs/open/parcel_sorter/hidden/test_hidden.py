import unittest

from sorter import NoChute, Sorter


class HiddenTest(unittest.TestCase):
    def make(self, *sizes):
        sorter = Sorter()
        names = [f"c{i}" for i in range(len(sizes))]
        for name, size in zip(names, sizes):
            sorter.add_chute(name, size)
        sorter.rule("*", *names)
        return sorter

    def test_all_full(self):
        sorter = self.make(1, 1)
        sorter.sort("a", "1")
        sorter.sort("b", "1")
        with self.assertRaises(NoChute):
            sorter.sort("c", "1")

    def test_capacity_is_never_exceeded(self):
        sorter = self.make(3, 0, 2)
        chutes = [sorter.sort(n, "77") for n in range(5)]
        self.assertEqual(chutes, ["c0", "c0", "c0", "c2", "c2"])
        self.assertEqual(sorter.load(), {"c0": 100, "c1": 100, "c2": 100})

    def test_room_again_after_emptying(self):
        sorter = self.make(1, 5)
        sorter.sort("a", "1")
        sorter.empty("c0")
        self.assertEqual(sorter.sort("b", "1"), "c0")
