import unittest

from sorter import NoChute, Sorter


class SorterTest(unittest.TestCase):
    def setUp(self):
        self.sorter = Sorter()
        self.sorter.add_chute("north", 2)
        self.sorter.add_chute("city", 1)
        self.sorter.add_chute("rest", 9)
        self.sorter.rule("4*", "north", "rest")
        self.sorter.rule("44*", "city", "north")
        self.sorter.rule("44123", "rest")

    def test_specific_rules_first(self):
        self.assertEqual(self.sorter.matching("44123"), ["44123", "44*", "4*"])

    def test_no_match(self):
        self.assertEqual(self.sorter.matching("51000"), [])
        with self.assertRaises(NoChute):
            self.sorter.sort("p", "51000")

    def test_sort(self):
        self.assertEqual(self.sorter.sort("p1", "41000"), "north")
        self.assertEqual(self.sorter.sort("p2", "44123"), "rest")

    def test_next_chute_when_full(self):
        chutes = [self.sorter.sort(f"p{n}", "44999") for n in range(4)]
        self.assertEqual(chutes, ["city", "north", "north", "rest"])

    def test_empty(self):
        self.sorter.sort("p1", "44999")
        self.assertEqual(self.sorter.empty("city"), ["p1"])
        self.assertFalse(self.sorter.is_full("city"))

    def test_load(self):
        self.sorter.sort("p1", "41000")
        self.assertEqual(self.sorter.load()["north"], 50)

    def test_unknown_chute(self):
        with self.assertRaises(KeyError):
            self.sorter.rule("5*", "south")

    def test_star_in_the_middle(self):
        with self.assertRaises(ValueError):
            self.sorter.rule("4*4", "city")


if __name__ == "__main__":
    unittest.main()
